// Sends a file of unknown length as it is made: counts and hashes its bytes, leaves out those before an offset, and waits for a slow
// client. A client that takes no bytes for a while, or that takes too long for the whole file, loses the connection, so that it cannot keep its place.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

type FileOptions = {
  /** So many bytes at the beginning are hashed and not sent. */
  readonly offset: number;
  hasLeft(): boolean;
  /** How long the client may take for the whole file, from its first byte. Without it, only a client that takes no bytes is cut off. */
  readonly withinMs?: number;
  /** Sends the headers. Called with the first byte that is sent, so that an error before it can be answered. */
  open(): ServerResponse;
};

/** How long a client may take no bytes. */
const STALLED_MS = 60_000;

const drained = async (response: ServerResponse, over: readonly AbortSignal[]): Promise<void> => {
  const stalled = AbortSignal.timeout(STALLED_MS);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([stalled, gone.signal, ...over]) });
  } finally {
    response.removeListener('close', leave);
  }
};

export const openFile = ({ offset, hasLeft, withinMs, open }: FileOptions) => {
  const hash = createHash('sha256');
  let response: ServerResponse | null = null;
  let over: readonly AbortSignal[] = [];
  let position = 0;

  const send = async (bytes: Uint8Array): Promise<void> => {
    if (hasLeft()) throw new Error('the client has left');
    for (const signal of over) signal.throwIfAborted();
    const skipped = Math.min(Math.max(offset - position, 0), bytes.length);
    position += bytes.length;
    if (skipped === bytes.length) return;
    if (response === null) {
      response = open();
      if (withinMs !== undefined) over = [AbortSignal.timeout(withinMs)];
    }
    if (!response.write(bytes.subarray(skipped))) await drained(response, over);
  };

  return {
    async write(piece: string | Uint8Array): Promise<void> {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      hash.update(bytes);
      await send(bytes);
    },
    /** The hash of all bytes so far. */
    sha256: (): string => hash.copy().digest('hex'),
    /** False: the file is not longer than the offset, and nothing was sent. */
    async end(text: string): Promise<boolean> {
      await send(Buffer.from(text));
      response?.end();
      return response !== null;
    },
  };
};
