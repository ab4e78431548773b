// One open connection: as little memory as possible, because there are thousands. It has no timer and keeps no events;
// what is not yet sent is in the socket, and a reader whose socket holds too much is cut off and resumes by its cursor.

import type { ServerResponse } from 'node:http';
import type { Filter } from './filter.ts';
import type { Packet } from './packet.ts';

export type Reader = {
  readonly response: ServerResponse;
  /** What the key check asks about from time to time. */
  readonly credential: string;
  filter: Filter;
  /** Everything up to here was sent or was not asked for. Stays as it is from the moment the reader is live. */
  position: number;
  /** Live events written since the socket was last empty. */
  lag: number;
  /** When the page that is being waited for was written; 0 when none is. */
  waitingSince: number;
  open: boolean;
  leave(reader: Reader): void;
};

export type Bounds = { readonly events: number; readonly bytes: number };

/** The response must have its socket. `leave` takes the reader off every list. */
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

/** Ends the stream after a whole message. Nothing may be written once this is called. */
export const end = (reader: Reader): void => {
  release(reader);
  reader.response.end();
};

/** Ends it at once, whatever is still unsent. */
export const cut = (reader: Reader): void => {
  release(reader);
  reader.response.destroy();
};

// Written to the socket itself, ready as a chunk: the response would wrap each write into three.
const write = ({ response }: Reader, packet: Packet, done?: () => void): void => {
  response.socket!.write(response.chunkedEncoding ? packet.chunk : packet.body, done);
};

const unsentBytes = ({ response }: Reader): number => response.socket!.writableLength;

/** The first thing sent: the head, which nothing may overtake, and a sign that the stream has begun. */
export const greet = (reader: Reader, packet: Packet): void => {
  reader.response.flushHeaders();
  write(reader, packet);
};

/** False when the reader is too far behind: then nothing was written and it has to be cut off. */
export const send = (reader: Reader, packet: Packet, bounds: Bounds): boolean => {
  const unsent = unsentBytes(reader);
  if (unsent === 0) reader.lag = 0;
  else if (reader.lag + packet.events > bounds.events || unsent + packet.body.length > bounds.bytes) return false;
  reader.lag += packet.events;
  write(reader, packet);
  return true;
};

/** A reader that has yet to take what it was sent needs no sign of life. */
export const sendIfIdle = (reader: Reader, packet: Packet): void => {
  if (unsentBytes(reader) === 0) write(reader, packet);
};

/** Resolves when the system has taken the packet, or when the connection is gone. */
export const sendAndWait = async (reader: Reader, packet: Packet): Promise<void> => {
  reader.waitingSince = performance.now();
  await new Promise<void>((resolve) => write(reader, packet, resolve));
  reader.waitingSince = 0;
};
