// The routes of the documentation below /docs/. Every page is HTML that works without a script and loads nothing from another server. What
// they need is loaded with the first request.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../../base/domain-error.ts';
import { JSON_TYPE } from '../error-reply.ts';
import { prefersHtml } from '../files/prefers-html.ts';
import { etagOf, type SiteFile, sendSiteFile } from '../files/site-file.ts';
import { HTML, PAGE_POLICY } from './layout.ts';
import type { DocsSite } from './site.ts';

const PICTURE_TYPES: Readonly<Record<string, string>> = {
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
const NAME_SHOWN_MAX = 200;
const QUERY_LENGTH_MAX = 100;
/** A page is compressed once while readers wait for it. */
const BROTLI_QUALITY = 5;

const brotli = promisify(brotliCompress);
const zipped = promisify(gzip);

type Content = { readonly type: string; readonly content: string | Buffer; readonly immutable?: boolean };

const fileOf = async ({ type, content, immutable = false }: Content): Promise<SiteFile> => {
  const plain = Buffer.from(content);
  const isPacked = type.startsWith('image/') && type !== 'image/svg+xml';
  return {
    type,
    immutable,
    plain,
    etag: etagOf(plain),
    gzip: isPacked ? null : await zipped(plain),
    brotli: isPacked ? null : await brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  };
};

/** Makes a value at the first call and keeps it. A failure is not kept. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};

const NOT_INSTALLED =
  'The documentation is not part of this installation. The API reference is at /docs/reference/, and the Markdown files are in the folder docs of the source code.';

const missing = (request: FastifyRequest, found: { readonly message?: string; readonly near?: readonly string[] }) => {
  const { message, near = [] } = found;
  const { method, url } = request;
  const page = url.split('?', 1)[0]!.slice(0, NAME_SHOWN_MAX);
  const didYouMean = near.map((name) => ({ method: 'GET', path: `/docs/${name}` }));
  const [first] = didYouMean;
  const hint = first ? ` Did you mean ${first.path}?` : '';
  return new DomainError('ROUTE_NOT_FOUND', {
    message: message ?? `There is no such page in the documentation.${hint} See /docs/ for the list.`,
    details: { method, path: page, ...(first ? { didYouMean } : {}) },
  });
};

const createAnswers = (folder: string | undefined) => {
  const parts = once(() => Promise.all([import('./site.ts'), import('./pages.ts')]));
  const open = once(async () => {
    const [{ openDocsSite, DOCS_FOLDER }] = await parts();
    return openDocsSite(folder ?? DOCS_FOLDER);
  });
  const kept = new Map<string, Promise<SiteFile>>();

  const siteFor = async (request: FastifyRequest): Promise<DocsSite> => {
    const site = await open();
    if (site === null) throw missing(request, { message: NOT_INSTALLED });
    return site;
  };

  /** `key` names one of the files of the site, so that what is kept is bounded. */
  const keep = (key: string, make: () => Promise<Content> | Content): Promise<SiteFile> => {
    const file =
      kept.get(key) ??
      Promise.resolve()
        .then(make)
        .then(fileOf)
        .catch((error: unknown) => {
          kept.delete(key);
          throw error;
        });
    kept.set(key, file);
    return file;
  };

  const refuse = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const site = await siteFor(request);
    const [, { closestPages, missingHtml }] = await parts();
    const { '*': name = '' } = request.params as { '*'?: string };
    const near = closestPages(name.slice(0, NAME_SHOWN_MAX), site.files);
    if (!prefersHtml(request)) throw missing(request, { near });
    const html = site.frame({ title: 'Page not found', html: missingHtml(near, site.files) });
    return reply
      .code(404)
      .headers(PAGE_POLICY)
      .header('cache-control', 'no-cache')
      .header('vary', 'accept')
      .type(HTML)
      .send(html);
  };

  return { siteFor, keep, refuse, parts };
};

type Answers = ReturnType<typeof createAnswers>;
type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

const answerPage =
  ({ siteFor, keep, refuse }: Answers): Answer =>
  async (request, reply) => {
    const { '*': name = '' } = request.params as { '*'?: string };
    const site = await siteFor(request);
    // A link to the file, or with a slash at the end, leads to the page.
    const tidy = name.replace(/(?:\.md)?\/?$/, '').replace(/(?:^|\/)README$/, '');
    if (tidy !== name && site.files.pages.has(tidy)) return reply.redirect(`/docs/${tidy}`, 301);
    if (!site.files.pages.has(name)) return refuse(request, reply);
    const file = await keep(`page ${name}`, () => ({ type: HTML, content: site.page(name)! }));
    return sendSiteFile(reply, { file, request, headers: PAGE_POLICY });
  };

const answerAsset =
  ({ siteFor, keep, refuse }: Answers): Answer =>
  async (request, reply) => {
    const { '*': name = '' } = request.params as { '*'?: string };
    const asset = (await siteFor(request)).assets.get(name);
    if (asset === undefined) return refuse(request, reply);
    const { v } = request.query as { v?: unknown };
    const immutable = v === asset.version;
    const file = await keep(`asset ${name} ${immutable}`, () => ({ type: asset.type, content: asset.text, immutable }));
    return sendSiteFile(reply, { file, request, headers: PAGE_POLICY });
  };

const answerPicture =
  ({ siteFor, keep, refuse }: Answers): Answer =>
  async (request, reply) => {
    const { '*': name = '' } = request.params as { '*'?: string };
    const place = (await siteFor(request)).files.pictures.get(name);
    if (place === undefined) return refuse(request, reply);
    const type = PICTURE_TYPES[path.extname(place)]!;
    const file = await keep(`picture ${name}`, async () => ({ type, content: await readFile(place) }));
    return sendSiteFile(reply, { file, request, headers: PAGE_POLICY });
  };

const answerSearch =
  ({ siteFor, parts }: Answers): Answer =>
  async (request, reply) => {
    const site = await siteFor(request);
    const [, { resultsHtml }] = await parts();
    const { q } = request.query as { q?: unknown };
    const query = typeof q === 'string' ? q.slice(0, QUERY_LENGTH_MAX).trim() : '';
    const found = query === '' ? [] : (await site.search()).find(query);
    const html = site.frame({ title: 'Search', html: resultsHtml(query, found), query });
    return reply.headers(PAGE_POLICY).header('cache-control', 'no-cache').type(HTML).send(html);
  };

const answerIndex =
  ({ siteFor, keep }: Answers): Answer =>
  async (request, reply) => {
    const site = await siteFor(request);
    const file = await keep('search index', async () => ({ type: JSON_TYPE, content: (await site.search()).json }));
    return sendSiteFile(reply, { file, request, headers: PAGE_POLICY });
  };

/** `folder` is another one in tests. */
export const mountDocs = (app: FastifyInstance, { folder }: { readonly folder?: string | undefined } = {}): void => {
  const answers = createAnswers(folder);
  app.get('/docs', (_request, reply) => reply.redirect('/docs/', 301));
  app.get('/docs/*', answerPage(answers));
  app.get('/docs/assets/*', answerAsset(answers));
  app.get('/docs/pictures/*', answerPicture(answers));
  app.get('/docs/search', answerSearch(answers));
  app.get('/docs/search-index.json', answerIndex(answers));
};
