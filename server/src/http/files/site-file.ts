// A file of the console or of the documentation in memory, with its compressed forms, and how it is sent: the form that the browser takes, and
// 304 when it has the file already.

import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export type SiteFile = {
  readonly type: string;
  readonly etag: string;
  /** The address contains a hash of the content, so the file never changes. */
  readonly immutable: boolean;
  readonly plain: Buffer;
  readonly gzip: Buffer | null;
  readonly brotli: Buffer | null;
};

const ETAG_LENGTH = 27;

export const etagOf = (content: Buffer): string => `"${hash('sha256', content, 'base64url').slice(0, ETAG_LENGTH)}"`;

/** What a page may do is said by its own policy; these are the same for all. */
export const PAGE_HEADERS = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'x-frame-options': 'DENY',
};

export const policyOf = (sources: { readonly forms: string }): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    `form-action ${sources.forms}`,
    "frame-ancestors 'none'",
  ].join('; ');

type Sending = {
  readonly file: SiteFile;
  readonly request: FastifyRequest;
  readonly headers: Readonly<Record<string, string>>;
};

export const sendSiteFile = (reply: FastifyReply, { file, request, headers }: Sending): FastifyReply => {
  const { encoding, body } = encodedFor(file, request.headers['accept-encoding']);
  const etag = encoding ? file.etag.replace(/"$/, `-${encoding}"`) : file.etag;
  reply.headers(headers).header('vary', 'accept-encoding').header('etag', etag);
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
