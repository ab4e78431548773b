// The API reference: the OpenAPI documents, and the page that shows them. All files of the page are served from here: it
// must work without the Internet and may call no other server.

import { hash } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { OtherDocument } from '../companion.ts';
import { JSON_TYPE } from '../error-reply.ts';
import { type DocumentOptions, openApiDocument } from './document.ts';

const DOCUMENT_PATH = '/docs/openapi.json';
const ROOT = '/docs/reference';
const PAGE_PATH = `${ROOT}/`;
const SCRIPT_PATH = `${ROOT}/js/scalar.js`;
const HTML = 'text/html; charset=utf-8';

type ReferenceOptions = DocumentOptions & { readonly others?: readonly OtherDocument[] };

export const mountReference = async (app: FastifyInstance, options: ReferenceOptions): Promise<void> => {
  const own: OtherDocument = {
    title: 'Holdfast API',
    paths: [DOCUMENT_PATH, `${options.prefix}/openapi.json`],
    print: () => JSON.stringify(openApiDocument(options)),
  };
  const documents = [own, ...(options.others ?? [])];
  for (const { paths, print } of documents) {
    // Generated at the first request: it took 10 ms of every start.
    let text: string | undefined;
    const answer = (_request: FastifyRequest, reply: FastifyReply) => {
      text ??= print();
      return reply.header('content-type', JSON_TYPE).send(text);
    };
    for (const url of paths) app.get(url, answer);
  }
  const sources = documents.map(({ title, paths: [url] }, place) => ({ title, url, default: place === 0 }));
  await app.register(async (scope) => {
    scope.addHook('onSend', (_request, reply, payload, done) => {
      openFor(reply, payload);
      done(null, payload);
    });
    let page: Promise<Page> | undefined;
    const pageOf = (): Promise<Page> => {
      page ??= loadPage(sources).catch((error: unknown) => {
        // The next request tries again.
        page = undefined;
        throw error;
      });
      return page;
    };
    scope.get(ROOT, (_request, reply) => reply.redirect(PAGE_PATH, 301));
    scope.get(PAGE_PATH, async (_request, reply) => reply.type(HTML).send((await pageOf()).html));
    scope.get(SCRIPT_PATH, async (_request, reply) =>
      reply.type('application/javascript; charset=utf-8').send((await pageOf()).script),
    );
  });
};

type Page = { readonly html: string; readonly script: string };

/** Several megabytes of script, loaded at the first request of the page. Loading it took a sixth of every start. */
const loadPage = async (sources: readonly object[]): Promise<Page> => {
  const { default: reference } = await import('@scalar/fastify-api-reference');
  await using site = Fastify();
  await site.register(reference, { routePrefix: ROOT, configuration: { ...CONFIGURATION, sources: [...sources] } });
  const textAt = async (path: string): Promise<string> => {
    const { statusCode, body } = await site.inject(path);
    if (statusCode !== 200) throw new Error(`the reference's ${path} answered ${statusCode}`);
    return body;
  };
  const { withBar } = await import('../docs/reference-bar.ts');
  return { html: await withBar(await textAt(PAGE_PATH)), script: await textAt(SCRIPT_PATH) };
};

const CONFIGURATION = {
  pageTitle: 'Holdfast API',
  favicon: 'data:,',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  // Each operation has its own samples: curl, SDK, HTTP. Thirty generated clients would hide them.
  hiddenClients: true,
  documentDownloadType: 'json',
  authentication: { preferredSecurityScheme: 'bearer' },
  // The bar above the page has the choice of the theme.
  hideDarkModeToggle: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

/** Allows exactly the scripts of the page in its content security policy, by their hash. */
const openFor = (reply: FastifyReply, payload: unknown): void => {
  if (typeof payload !== 'string') return;
  if (String(reply.getHeader('content-type')).startsWith('text/html')) {
    reply.header('content-security-policy', pagePolicy(payload));
  } else {
    // The page script changes only with a release.
    reply.header('cache-control', 'public, max-age=3600');
  }
};

const pagePolicy = (html: string): string => {
  const inline = [...html.matchAll(/<script\b(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, script]) => `'sha256-${hash('sha256', script!, 'base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
};
