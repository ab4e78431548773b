// One open connection. It uses as little memory as possible, because there are thousands of them: no timer and no stored events.
// Unsent bytes are in the socket. A reader whose socket holds too many bytes is cut off and resumes by its cursor.

import type { ServerResponse } from 'node:http';
import type { Packet } from './packet.ts';
import type { Filter } from './topic.ts';

export type Reader = {
  readonly response: ServerResponse;
  /** The credential that opened the stream; it is checked again at an interval. */
  readonly credential: string;
  filter: Filter;
  /** Events up to this position were sent or did not match the filter. It no longer changes once the reader is live. */
  position: number;
  /** Live events written since the socket was last empty. */
  lag: number;
  /** When the page was written that the reader has not accepted yet; 0 when there is none. */
  waitingSince: number;
  open: boolean;
  leave(reader: Reader): void;
};

export type Bounds = { readonly events: number; readonly bytes: number };

/** The response must have its socket. `leave` removes the reader from every list. */
export const createReader = (
  response: ServerResponse,
  parts: { credential: string; filter: Filter; position: number; leave(reader: Reader): void },
): Reader => {
  const reader = { response, ...parts, lag: 0, waitingSince: 0, open: true };
  response.once('close', () => release(reader));
  return reader;
};

const release = (reader: Reader): void => {
  if (!reader.open) return;
  reader.open = false;
  reader.leave(reader);
};

/** Ends the stream after a whole message. Nothing may be written after this call. */
export const end = (reader: Reader): void => {
  release(reader);
  reader.response.end();
};

/** Ends the stream at once and drops unsent bytes. */
export const cut = (reader: Reader): void => {
  release(reader);
  reader.response.destroy();
};

const chunkOf = ({ response }: Reader, packet: Packet) => (response.chunkedEncoding ? packet.chunk : packet.body);

// Writes an encoded chunk to the socket itself: the response would make three writes of each one.
const write = (reader: Reader, packet: Packet): void => {
  reader.response.socket!.write(chunkOf(reader, packet));
};

const unsentBytes = ({ response }: Reader): number => response.socket!.writableLength;

/** Sends the response headers and the opening packet, before anything else. */
export const greet = (reader: Reader, packet: Packet): void => {
  reader.response.flushHeaders();
  write(reader, packet);
};

/** False when the reader is too far behind. Then nothing was written, and the caller must cut the reader off. */
export const send = (reader: Reader, { packet, bounds }: { packet: Packet; bounds: Bounds }): boolean => {
  const unsent = unsentBytes(reader);
  if (unsent === 0) reader.lag = 0;
  else if (reader.lag + packet.events > bounds.events || unsent + packet.body.length > bounds.bytes) return false;
  reader.lag += packet.events;
  write(reader, packet);
  return true;
};

/** A reader with unsent bytes needs no ping. */
export const sendIfIdle = (reader: Reader, packet: Packet): void => {
  if (unsentBytes(reader) === 0) write(reader, packet);
};

/** Resolves when the operating system has accepted the packet, or when the connection is closed. */
export const sendAndWait = async (reader: Reader, packet: Packet): Promise<void> => {
  reader.waitingSince = performance.now();
  await new Promise<void>((resolve) => {
    reader.response.socket!.write(chunkOf(reader, packet), () => resolve());
  });
  reader.waitingSince = 0;
};
