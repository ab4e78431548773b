// Exports of the books. A file is read in pieces as it arrives, and continued where it was when the connection is lost.

import { refusalOf, unexpected } from '../answers.ts';
import { HoldfastError } from '../errors.ts';
import { disconnected, isPassing } from '../failures.ts';
import type { ExportJournalQuery } from '../printed/exports.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { backOffMs, wait } from '../waiting.ts';

export type JournalQuery = ExportJournalQuery;

/** The end of the range that the service chose, and the bytes of the file as they arrive. */
export type JournalFile = { readonly to: string; readonly bytes: AsyncGenerator<Uint8Array> };

type ExportOptions = Pick<CallOptions, 'signal' | 'maxRetries'>;

const RETRIES_MAX = 5;
const BACK_OFF = { firstMs: 500, mostMs: 10_000 };
const NEVER = new AbortController().signal;

const ROUTE = ROUTES.exportJournal;

const openOnce = async (
  transport: Transport,
  { query, signal }: { query: JournalQuery; signal: AbortSignal },
): Promise<Response> => {
  const url = transport.urlOf(ROUTE, { query });
  const response = await transport.open(ROUTE, { query, headers: {}, signal }).catch((error: unknown) => {
    if (signal.aborted) throw signal.reason;
    throw disconnected({ url }, error);
  });
  if (!response.ok) throw refusalOf(await response.text(), response);
  if (!response.body) throw unexpected('', response);
  return response;
};

/** Longer than the last line of any format. */
const END_CHARACTERS = 1_000;

/** Whether the last line that arrived is the one with the count and the hash. */
const watchEnd = () => {
  const decoder = new TextDecoder();
  let tail = '';
  return {
    take(bytes: Uint8Array): void {
      tail = (tail + decoder.decode(bytes.subarray(-END_CHARACTERS), { stream: true })).slice(-END_CHARACTERS);
    },
    isThere: (): boolean => /count"?[=:]\d+[ ,]"?sha256"?[=:]"?[0-9a-f]{64}[^\n]*\n$/.test(tail),
  };
};

export const exportResource = (transport: Transport) => {
  /** Tries again while the failure may pass. The first error that is final is thrown. */
  const open = async (query: JournalQuery, { signal = NEVER, maxRetries = RETRIES_MAX }: ExportOptions) => {
    for (let tries = 0; ; tries++) {
      try {
        return await openOnce(transport, { query, signal });
      } catch (error) {
        if (!(error instanceof HoldfastError) || !isPassing(error) || tries >= maxRetries) throw error;
        await wait((error.retryAfter ?? 0) * 1_000 + backOffMs(tries, BACK_OFF), signal);
      }
    }
  };

  async function* bytesOf(first: Response, asked: ExportOptions & { query: JournalQuery }): AsyncGenerator<Uint8Array> {
    const { query, ...options } = asked;
    let received = query.offset ?? 0;
    let response = first;
    const end = watchEnd();
    for (let losses = 0; ; losses++) {
      try {
        for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
          received += bytes.length;
          losses = 0;
          end.take(bytes);
          yield bytes;
        }
        // A proxy may end an answer properly although the server has not.
        if (end.isThere()) return;
        throw new Error('the file has no last line');
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason;
        const lost = disconnected({ url: transport.urlOf(ROUTE, { query }) }, error);
        if (losses >= (options.maxRetries ?? RETRIES_MAX)) throw lost;
        response = await open({ ...query, offset: received }, options);
      }
    }
  }

  return {
    /**
     * Every posting of a range of time, as a file for bookkeeping tools. The last line of the file has the number of postings and the
     * SHA-256 of all bytes before it. To continue a file of an earlier program, send the same range and the size of the file as `offset`.
     */
    async journal(query: JournalQuery = {}, options: ExportOptions = {}): Promise<JournalFile> {
      const response = await open(query, options);
      const to = response.headers.get('x-journal-to') ?? query.to;
      if (to === undefined) throw unexpected('', response);
      return { to, bytes: bytesOf(response, { ...options, query: { ...query, to } }) };
    },
  };
};
