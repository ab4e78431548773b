// The root of the server: a browser gets a page that leads to the console, the documentation and the reference; a program gets their
// addresses as JSON.

import type { FastifyInstance } from 'fastify';
import { JSON_TYPE } from '../error-reply.ts';
import { prefersHtml } from '../files/prefers-html.ts';
import { HTML, PAGE_POLICY } from './layout.ts';

type RootOptions = { readonly version: string; readonly api: string };

const linksOf = (api: string) => ({
  console: '/console',
  docs: '/docs/',
  reference: '/docs/reference/',
  openapi: '/docs/openapi.json',
  api,
});

const PLACES: readonly (readonly [href: string, title: string, text: string])[] = [
  [
    '/console',
    'Console',
    'Orders, users, payments and the proof of balances, for the people who operate the marketplace.',
  ],
  ['/docs/quick-start', 'Quick start', 'From nothing to a released order with curl.'],
  ['/docs/', 'Documentation', 'The guide, the concepts, recipes, settings and errors, with a search.'],
  ['/docs/reference/', 'API reference', 'Every route, field and error, with examples to try.'],
];

const places = PLACES.map(([href, title, text]) => `<li><a href="${href}">${title}</a><p>${text}</p></li>`).join('\n');

const pageOf = async (version: string): Promise<string> => {
  const [{ addressesOf, readAssets }, { barOf, headOf }] = await Promise.all([
    import('./assets.ts'),
    import('./layout.ts'),
  ]);
  const addresses = addressesOf(await readAssets());
  return `${headOf('Holdfast', addresses)}<body>
${barOf('none')}
<main class="lead" id="main">
<article>
<h1>Holdfast</h1>
<p>This server runs Holdfast ${version}: balances, orders and escrow of a marketplace.</p>
<ul class="places">
${places}
</ul>
</article>
</main>
</body>
</html>
`;
};

export const mountRoot = (app: FastifyInstance, { version, api }: RootOptions): void => {
  const json = JSON.stringify({ name: 'Holdfast', version, links: linksOf(api) });
  let page: string | undefined;
  app.get('/', async (request, reply) => {
    reply.header('vary', 'accept');
    if (!prefersHtml(request)) return reply.header('content-type', JSON_TYPE).send(json);
    // Read once: the assets change only with a release.
    page ??= await pageOf(version);
    return reply.headers(PAGE_POLICY).header('cache-control', 'no-cache').type(HTML).send(page);
  });
};
