// The event stream as the front door sees it: opens connections, pings them, ends those whose key has ended, and ends
// all when the server stops. Never shows anything of another marketplace: a reader is only ever in the room of its own.

import type { ServerResponse } from 'node:http';
import { DomainError } from '../base/domain-error.ts';
import { createGate } from '../base/gate.ts';
import { type Clock, formatInstant } from '../base/instant.ts';
import { type CatchUp, catchUp } from './catch-up.ts';
import { createFeed, type FeedOptions } from './feed.ts';
import { filterOf } from './filter.ts';
import { type KeyWatchOptions, watchKeys } from './key-watch.ts';
import { openingPacket, pingPacket } from './packet.ts';
import { createReader, cut, end, greet, type Reader, sendIfIdle } from './reader.ts';

/** Where a marketplace's events end, where this reader begins, and the cursor of that place. */
export type Place = { readonly head: number; readonly after: number; readonly cursor: string };

export type StreamOptions = {
  eventsAfter: FeedOptions['eventsAfter'];
  listEvents: CatchUp['listEvents'];
  findPlace(ask: { marketplaceId: string; cursorMicros: number | null }): Promise<Place>;
  stillValid: KeyWatchOptions['stillValid'];
  watch: { opened(): void; closed(): void; sent(count: number): void; cutOff(): void };
  onTrouble(message: string, error: unknown): void;
  clock: Clock;
  pingMs: number;
  /** Events and bytes that a reader may lag behind. */
  bufferMax: number;
  bufferBytesMax?: number;
  connectionsMax: number;
  lookEveryMs?: number;
  recheckKeysMs?: number;
};

export type StreamAsk = {
  marketplaceId: string;
  credential: string;
  types: readonly string[];
  resources: readonly string[];
  /** Null: only what happens from now on. */
  cursorMicros: number | null;
  /** Sends the head; from then on the stream owns the response. */
  start(): ServerResponse;
};

const BUFFER_BYTES_MAX = 2 * 1024 * 1024;
const LOOK_EVERY_MS = 1_000;
const RECHECK_KEYS_MS = 5_000;
const READS_AT_ONCE = 3;
/** Everybody is pinged once per interval, but not all in the same instant. */
const PING_SLICES = 20;
const TCP_KEEP_ALIVE_MS = 30_000;

export const createStream = (options: StreamOptions) => {
  const { watch } = options;
  const slices = Array.from({ length: PING_SLICES }, () => new Set<Reader>());
  const gate = createGate({ atOnce: READS_AT_ONCE });
  let connections = 0;
  let opened = 0;
  let slice = 0;
  let closed = false;

  const cutOff = (reader: Reader): void => {
    watch.cutOff();
    cut(reader);
  };

  const feed = createFeed({
    eventsAfter: options.eventsAfter,
    bounds: { events: options.bufferMax, bytes: options.bufferBytesMax ?? BUFFER_BYTES_MAX },
    cutOff,
    sent: watch.sent,
    onTrouble: options.onTrouble,
    lookEveryMs: options.lookEveryMs ?? LOOK_EVERY_MS,
  });
  const catching = { listEvents: options.listEvents, gate, feed, sent: watch.sent };

  const pingSlice = (): void => {
    const readers = slices[slice++ % PING_SLICES]!;
    if (readers.size === 0) return;
    const packet = pingPacket(formatInstant(options.clock()));
    const patience = performance.now() - options.pingMs;
    for (const reader of readers) {
      // Waiting for a replayed page all that time: nobody reads at the other end.
      if (reader.waitingSince > 0 && reader.waitingSince < patience) cutOff(reader);
      else sendIfIdle(reader, packet);
    }
  };

  const keyWatch = watchKeys({
    readers: () => slices.flatMap((readers) => [...readers]),
    stillValid: options.stillValid,
    onTrouble: options.onTrouble,
    everyMs: options.recheckKeysMs ?? RECHECK_KEYS_MS,
  });

  const pings = setInterval(pingSlice, options.pingMs / PING_SLICES);
  pings.unref();

  const refuseWhenFull = (): void => {
    if (!closed && connections < options.connectionsMax) return;
    throw new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 5 } });
  };

  const serve = (ask: StreamAsk, place: Place): void => {
    const response = ask.start();
    // The client has left meanwhile, or asked ahead on a connection whose earlier answer is still going on.
    if (response.destroyed || response.socket === null) {
      connections--;
      if (!response.destroyed) response.end();
      return;
    }
    const room = feed.enter(ask.marketplaceId, place.head);
    const readers = slices[opened++ % PING_SLICES]!;
    const reader = createReader(response, {
      credential: ask.credential,
      filter: filterOf(ask),
      position: place.after,
      leave(left) {
        readers.delete(left);
        feed.leave(room, left);
        connections--;
        watch.closed();
      },
    });
    readers.add(reader);
    watch.opened();
    response.socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    greet(reader, openingPacket(ask.cursorMicros === null ? place.cursor : null));
    catchUp(catching, { room, reader }).catch((error) => {
      options.onTrouble('a replay failed; its reader has to connect again', error);
      cut(reader);
    });
  };

  return {
    /** Throws a DomainError while the answer has not begun. */
    async open(ask: StreamAsk): Promise<void> {
      refuseWhenFull();
      connections++;
      try {
        const { marketplaceId, cursorMicros } = ask;
        const place = await gate(() => options.findPlace({ marketplaceId, cursorMicros }));
        if (closed) refuseWhenFull();
        serve(ask, place);
      } catch (error) {
        connections--;
        throw error;
      }
    },
    wake: feed.wake,
    lookAgain: feed.lookAgain,
    recheckKeys: keyWatch.recheck,
    get marketplaces() {
      return feed.rooms;
    },
    get connections() {
      return connections;
    },
    /** Ends every stream with a whole message; clients resume elsewhere by their cursor. */
    async close(): Promise<void> {
      closed = true;
      clearInterval(pings);
      keyWatch.close();
      for (const readers of slices) for (const reader of readers) end(reader);
      await feed.close();
    },
  };
};

export type Stream = ReturnType<typeof createStream>;
