// The operator's console at /console: files only. The files contain no data. The console reads all data from the API with the key that
// its user enters.

import type { FastifyInstance, FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { DomainError } from '../../base/domain-error.ts';
import { type RateLimit, rateHeaders, rateLimited } from '../hooks/admit.ts';
import { addressBucket, type Limiter, type Taken } from '../rate-limit/limiter.ts';
import { type ConsoleSite, PAGE, type SiteFile } from './site.ts';
import { waitingPage } from './waiting-page.ts';

const ROOT = '/console';

/** A first load is about twenty files, so this allows many loads per window. They do not count in the bucket of the API. */
const FILES_MAX = 1_200;

const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
};

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
    if (file) return send(reply, { file, request });
    // A name with an extension is a missing file. Any other name is a page of the console.
    if (name.startsWith('assets/') || /\.[a-z0-9]+$/i.test(name)) {
      return reply.code(404).type('text/plain; charset=utf-8').send('There is no such file.\n');
    }
    const page = await site.find(PAGE);
    return page ? send(reply, { file: page, request }) : sendWaiting(reply, site);
  };
  app.get(ROOT, answer);
  app.get(`${ROOT}/*`, answer);
};

const send = (reply: FastifyReply, { file, request }: { file: SiteFile; request: FastifyRequest }): FastifyReply => {
  const { encoding, body } = encodedFor(file, request.headers['accept-encoding']);
  const etag = encoding ? file.etag.replace(/"$/, `-${encoding}"`) : file.etag;
  reply.headers(PAGE_HEADERS).header('vary', 'accept-encoding').header('etag', etag);
  reply.header('cache-control', file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(body);
};

const encodedFor = (file: SiteFile, accepted = ''): { encoding: string | null; body: Buffer } => {
  const takes = (name: string): boolean =>
    new RegExp(`(^|,)\\s*${name}\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$))|,|$)`).test(accepted);
  if (file.brotli && takes('br')) return { encoding: 'br', body: file.brotli };
  if (file.gzip && takes('gzip')) return { encoding: 'gzip', body: file.gzip };
  return { encoding: null, body: file.plain };
};

const sendWaiting = (reply: FastifyReply, site: ConsoleSite): FastifyReply => {
  const page = waitingPage(site.state() === 'building');
  return reply
    .code(503)
    .headers({ ...PAGE_HEADERS, 'content-security-policy': page.policy, 'retry-after': '2' })
    .type('text/html; charset=utf-8')
    .send(page.html);
};
