// Reads JSON from the API of the old system: one request at a time, with a deadline, a size limit, and a wait when that system asks for
// one. It only sends GET requests.

import { setTimeout as pause } from 'node:timers/promises';
import { failure } from '../failures.ts';
import { parseExact } from './exact-json.ts';
import { IMPORT_LIMITS } from './records.ts';

type SourceAddress = { readonly url: string; readonly key: string | null };

type Query = Readonly<Record<string, string>>;

type SourceAnswer = { readonly status: number; readonly body: unknown };

export type SourceReader = {
  /** The answer of 200, 400 or 404. Any other answer ends the import. */
  read(path: string, query?: Query): Promise<SourceAnswer>;
};

const TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 6;
const BACK_OFF_MS = 500;
const WAIT_MAX_MS = 90_000;
const PREFIX = '/api/v1';

/** The address without its query, and nothing of an address that may have a password in it. */
const shown = (url: string): string =>
  url.includes('@') ? 'The value of --source-url' : `"${url.replace(/[?#].*$/s, '')}"`;

const baseOf = (url: string): string => {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (address && (address.username !== '' || address.password !== ''))
    throw failure('--source-url must not have a user name or a password. Give a key with --source-key.');
  const isServer = address && ['http:', 'https:'].includes(address.protocol);
  if (!isServer || address.search !== '' || address.hash !== '')
    throw failure(`${shown(url)} is not the address of a server. Write it like https://old.shop.example.`);
  const path = address.pathname.replace(/\/+$/, '');
  return `${address.origin}${path.endsWith(PREFIX) ? path : `${path}${PREFIX}`}`;
};

/** How long the other system wants us to wait; null: it does not say. */
const askedWaitMs = (headers: Headers): number | null => {
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  if (Number.isFinite(after)) return after * 1_000;
  const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
  return Number.isFinite(reset) ? Math.max(0, reset * 1_000 - Date.now()) : null;
};

const isPassing = (status: number): boolean => status === 429 || status >= 500;

const readBody = async (response: Response): Promise<string> => {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > IMPORT_LIMITS.answerBytes) throw failure('An answer of the source is too large.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
};

const parsed = (text: string, path: string): unknown => {
  try {
    return parseExact(text);
  } catch {
    throw failure(`The source does not answer ${path} with JSON. Check --source-url.`);
  }
};

const explain = (status: number, path: string): string => {
  if (status === 401 || status === 403)
    return `The source refuses the key (${status} for ${path}). Give one that may read with --source-key.`;
  return `The source answers ${path} with ${status}. Run the same command again when it works.`;
};

export const createSourceReader = ({ url, key }: SourceAddress, signal: AbortSignal): SourceReader => {
  const base = baseOf(url);
  const send = (target: string): Promise<Response> =>
    fetch(target, {
      headers: { accept: 'application/json', ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      // Following a redirect would send the key elsewhere.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });

  return {
    async read(path, query = {}) {
      const search = new URLSearchParams(query).toString();
      const target = `${base}${path}${search === '' ? '' : `?${search}`}`;
      for (let attempt = 1; ; attempt++) {
        const response = await send(target).catch((error: Error) => {
          signal.throwIfAborted();
          if (attempt < ATTEMPTS_MAX) return null;
          throw failure(
            `The source cannot be reached at ${base}: ${(error.cause as Error | undefined)?.message ?? error.message}.`,
          );
        });
        if (response && !isPassing(response.status)) {
          if (![200, 400, 404].includes(response.status)) throw failure(explain(response.status, path));
          return { status: response.status, body: parsed(await readBody(response), path) };
        }
        await response?.body?.cancel();
        if (response && attempt >= ATTEMPTS_MAX) throw failure(explain(response.status, path));
        const wait = (response && askedWaitMs(response.headers)) ?? BACK_OFF_MS * 2 ** attempt;
        await pause(Math.min(wait, WAIT_MAX_MS), undefined, { signal });
      }
    },
  };
};
