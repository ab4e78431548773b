// The operator's console at /console: files only. The files contain no data. The console reads all data from the API with the key that
// its user enters.

import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { DomainError } from '../../base/domain-error.ts';
import { PAGE_HEADERS, policyOf, sendSiteFile } from '../files/site-file.ts';
import { type RateLimit, rateHeaders, rateLimited } from '../hooks/admit.ts';
import { addressBucket, type Limiter, type Taken } from '../rate-limit.ts';
import { type ConsoleSite, PAGE } from './site.ts';

const ROOT = '/console';

/** A first load is about twenty files, so this allows many loads per window. They do not count in the bucket of the API. */
const FILES_MAX = 1_200;

const HEADERS = { ...PAGE_HEADERS, 'content-security-policy': policyOf({ forms: "'none'" }) };

export const ownsConsole = (url: string): boolean => /^\/console(?:[/?#]|$)/.test(url);

type Admission = {
  readonly limiter: Limiter;
  readonly rateLimit: RateLimit;
  readonly isClosing: () => boolean;
  readonly now: () => number;
};

/** The console has its own admission: no key, and a bucket of its own. */
export const admitConsole = ({ limiter, rateLimit, isClosing, now }: Admission) => {
  const judge = (request: FastifyRequest, taken: Taken): DomainError | null => {
    if (isClosing()) return new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } });
    if (!taken.allowed) return rateLimited(taken, { windowMs: rateLimit.windowMs, nowMs: now() });
    if (!request.is404) return null;
    return new DomainError('METHOD_NOT_ALLOWED', {
      details: { method: request.method, allowedMethods: ['GET', 'HEAD'] },
    });
  };
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const decide = (taken: Taken): void => {
      reply.headers(rateHeaders(taken));
      done(judge(request, taken) ?? undefined);
    };
    const taken = limiter.take(`console:${addressBucket(request.ip)}`, FILES_MAX);
    if (taken instanceof Promise) taken.then(decide, done);
    else decide(taken);
  };
};

export const mountConsole = (app: FastifyInstance, site: ConsoleSite): void => {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { '*': name = '' } = request.params as { '*'?: string };
    const file = name === '' ? null : await site.find(name);
    if (file) return sendSiteFile(reply, { file, request, headers: HEADERS });
    // A name with an extension is a missing file. Any other name is a page of the console.
    if (name.startsWith('assets/') || /\.[a-z0-9]+$/i.test(name)) {
      return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n');
    }
    const page = await site.find(PAGE);
    return page ? sendSiteFile(reply, { file: page, request, headers: HEADERS }) : sendWaiting(reply, site);
  };
  app.get(ROOT, answer);
  app.get(`${ROOT}/*`, answer);
};

const sendWaiting = (reply: FastifyReply, site: ConsoleSite): FastifyReply => {
  const page = waitingPage(site.state() === 'building');
  return reply
    .code(503)
    .headers({ ...HEADERS, 'content-security-policy': page.policy, 'retry-after': '2' })
    .type('text/html; charset=utf-8')
    .send(page.html);
};

const STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-content:center;font:16px/1.5 system-ui,sans-serif;' +
  'background:light-dark(#f6f6f3,#14171a);color:light-dark(#1c2024,#e6e8ea);color-scheme:light dark}' +
  'main{max-width:32rem;padding:2rem}h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0 0 .5rem}';

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'`;

const BUILDING = {
  head: '<meta http-equiv="refresh" content="2">',
  title: 'The console is being built',
  text: '<p>This takes a few seconds after an update. The page reloads automatically when the console is ready.</p>',
};

const MISSING = {
  head: '',
  title: 'The console is not built',
  text:
    '<p>The API works; only this page is missing. Run <code>npm run console:build</code> in the project folder, or read ' +
    'in the server log why the build failed, then reload.</p>',
};

/** The page at /console while there is no built console: the build is running, or it failed. */
const waitingPage = (isBuilding: boolean): { html: string; policy: string } => {
  const { head, title, text } = isBuilding ? BUILDING : MISSING;
  const html =
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<style>${STYLE}</style></head><body><main role="status"><h1>${title}</h1>${text}</main></body></html>`;
  return { html, policy: POLICY };
};
