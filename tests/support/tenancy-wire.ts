// Records every statement that a connection sends to PostgreSQL, with its values. It reads the bytes that the client writes
// to the socket, so no statement is missed. It changes no byte.

import net from 'node:net';
import type pg from 'pg';

/** As it was sent: text values as strings, binary ones as buffers. */
export type Sent = { readonly text: string; readonly values: readonly (string | Buffer | null)[] };

const LENGTH_BYTES = 4;

/** The same connection, with clients that are recorded. */
export const overheard = (connection: pg.ClientConfig, hear: (sent: Sent) => void): pg.ClientConfig => ({
  ...connection,
  stream: () => {
    const socket = new net.Socket();
    const read = createReader(hear);
    // Not earlier: connecting restores the socket's own write function.
    socket.once('connect', () => {
      const write = socket.write.bind(socket) as (...given: unknown[]) => boolean;
      socket.write = ((chunk: Buffer, ...rest: unknown[]) => {
        read(chunk);
        return write(chunk, ...rest);
      }) as net.Socket['write'];
    });
    return socket;
  },
});

/** Parses the client's bytes of one connection, in chunks of any size. */
const createReader = (hear: (sent: Sent) => void) => {
  const prepared = new Map<string, string>();
  let waiting: Buffer = Buffer.alloc(0);
  let greeted = false;

  const take = (type: string, body: Buffer): void => {
    const from = { body, at: 0 };
    if (type === 'Q') hear({ text: readText(from), values: [] });
    if (type === 'P') prepared.set(readText(from), readText(from));
    if (type !== 'B') return;
    readText(from);
    const text = prepared.get(readText(from));
    if (text !== undefined) hear({ text, values: readValues(from) });
  };

  return (chunk: Buffer): void => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      // The first message of a connection has no letter.
      const head = greeted ? 1 : 0;
      if (waiting.length < head + LENGTH_BYTES) return;
      const end = head + waiting.readUInt32BE(head);
      if (waiting.length < end) return;
      if (greeted) take(String.fromCharCode(waiting[0]!), waiting.subarray(head + LENGTH_BYTES, end));
      waiting = waiting.subarray(end);
      greeted = true;
    }
  };
};

type Place = { readonly body: Buffer; at: number };

const readText = (from: Place): string => {
  const end = from.body.indexOf(0, from.at);
  const text = from.body.toString('utf8', from.at, end);
  from.at = end + 1;
  return text;
};

const readShort = (from: Place): number => {
  from.at += 2;
  return from.body.readUInt16BE(from.at - 2);
};

const readValues = (from: Place): (string | Buffer | null)[] => {
  const formats = Array.from({ length: readShort(from) }, () => readShort(from));
  return Array.from({ length: readShort(from) }, (_, place) => {
    const length = from.body.readInt32BE(from.at);
    from.at += 4;
    if (length < 0) return null;
    const bytes = Buffer.from(from.body.subarray(from.at, from.at + length));
    from.at += length;
    const isBinary = (formats.length > 1 ? formats[place] : formats[0]) === 1;
    return isBinary ? bytes : bytes.toString('utf8');
  });
};
