// Sends a file of unknown length as it is made: counts and hashes its bytes, leaves out those before an offset, and waits for a slow
// client. A client that takes no bytes for a while loses the connection, so that it cannot keep its place.

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

type FileOptions = {
  /** So many bytes at the beginning are hashed and not sent. */
  readonly offset: number;
  hasLeft(): boolean;
  /** Sends the headers. Called with the first byte that is sent, so that an error before it can be answered. */
  open(): ServerResponse;
};

/** How long a client may take no bytes. */
const STALLED_MS = 60_000;

const drained = async (response: ServerResponse): Promise<void> => {
  const stalled = AbortSignal.timeout(STALLED_MS);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([stalled, gone.signal]) });
  } finally {
    response.removeListener('close', leave);
  }
};

export const openFile = ({ offset, hasLeft, open }: FileOptions) => {
  const hash = createHash('sha256');
  let response: ServerResponse | null = null;
  let position = 0;

  const send = async (bytes: Uint8Array): Promise<void> => {
    if (hasLeft()) throw new Error('the client has left');
    const skipped = Math.min(Math.max(offset - position, 0), bytes.length);
    position += bytes.length;
    if (skipped === bytes.length) return;
    response ??= open();
    if (!response.write(bytes.subarray(skipped))) await drained(response);
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
