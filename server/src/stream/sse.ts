// The event stream as the HTTP layer sees it: opens connections, and ends all of them when the server stops. A reader belongs to the
// topic of its own marketplace and never sees an event of another one.

import type { ServerResponse } from 'node:http';
import { createGate } from '../base/concurrency.ts';
import type { Clock } from '../base/instant.ts';
import { checkKeys, createConnectionLimit, createPings, type KeyCheck } from './connections.ts';
import { createFeed, type FeedOptions } from './feed.ts';
import { openingPacket } from './packet.ts';
import { createReader, cut, end, greet, type Reader } from './reader.ts';
import { type CatchUp, catchUp, filterOf } from './topic.ts';

/** The newest position of a marketplace, the position after which this reader starts, and the cursor of that position. */
type StartPosition = { readonly head: number; readonly after: number; readonly cursor: string };

export type StreamOptions = {
  eventsAfter: FeedOptions['eventsAfter'];
  listEvents: CatchUp['listEvents'];
  findStart(request: { marketplaceId: string; cursorMicros: number | null }): Promise<StartPosition>;
  stillValid: KeyCheck['stillValid'];
  watch: { opened(): void; closed(): void; sent(count: number): void; cutOff(): void };
  onTrouble(message: string, error: unknown): void;
  clock: Clock;
  pingMs: number;
  /** Events and bytes that a reader may lag behind. */
  bufferMax: number;
  bufferBytesMax?: number;
  connectionsMax: number;
  /** Without a limit of their own, a key and a marketplace may have all connections. */
  connectionsPerKeyMax?: number;
  connectionsPerMarketplaceMax?: number;
  pollEveryMs?: number;
  recheckKeysMs?: number;
};

type StreamRequest = {
  marketplaceId: string;
  /** The API key, also where its token was used. */
  keyId: string;
  credential: string;
  types: readonly string[];
  resources: readonly string[];
  /** Null: only events from now on. */
  cursorMicros: number | null;
  /** Sends the response headers. From then on the stream owns the response. */
  start(): ServerResponse;
};

const BUFFER_BYTES_MAX = 2 * 1024 * 1024;
const POLL_EVERY_MS = 1_000;
const RECHECK_KEYS_MS = 5_000;
const READS_AT_ONCE = 3;
const TCP_KEEP_ALIVE_MS = 30_000;

const createParts = (options: StreamOptions) => {
  const { watch, onTrouble } = options;
  const cutOff = (reader: Reader): void => {
    watch.cutOff();
    cut(reader);
  };
  const pings = createPings({ pingMs: options.pingMs, clock: options.clock, cutOff });
  return {
    pings,
    limit: createConnectionLimit({
      max: options.connectionsMax,
      perKeyMax: options.connectionsPerKeyMax ?? options.connectionsMax,
      perMarketplaceMax: options.connectionsPerMarketplaceMax ?? options.connectionsMax,
    }),
    gate: createGate({ atOnce: READS_AT_ONCE }),
    keys: checkKeys(pings.readers, {
      stillValid: options.stillValid,
      onTrouble,
      everyMs: options.recheckKeysMs ?? RECHECK_KEYS_MS,
    }),
    feed: createFeed({
      eventsAfter: options.eventsAfter,
      bounds: { events: options.bufferMax, bytes: options.bufferBytesMax ?? BUFFER_BYTES_MAX },
      cutOff,
      sent: watch.sent,
      onTrouble,
      pollEveryMs: options.pollEveryMs ?? POLL_EVERY_MS,
    }),
  };
};

export const createStream = (options: StreamOptions) => {
  const { watch, onTrouble } = options;
  const { pings, limit, gate, keys, feed } = createParts(options);

  const serve = (request: StreamRequest, { position, leave }: { position: StartPosition; leave(): void }): void => {
    const response = request.start();
    // The client has left, or it sent this request on a connection whose earlier response has not ended.
    if (response.destroyed || response.socket === null) {
      leave();
      if (!response.destroyed) response.end();
      return;
    }
    const topic = feed.enter(request.marketplaceId, position.head);
    const slice = pings.sliceForNext();
    const reader = createReader(response, {
      credential: request.credential,
      filter: filterOf(request),
      position: position.after,
      leave(left) {
        slice.delete(left);
        feed.leave(topic, left);
        leave();
        watch.closed();
      },
    });
    slice.add(reader);
    watch.opened();
    response.socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS);
    greet(reader, openingPacket(request.cursorMicros === null ? position.cursor : null));
    catchUp({ listEvents: options.listEvents, gate, sent: watch.sent }, { topic, reader }).catch((error) => {
      onTrouble('a replay of events failed; its client has to reconnect', error);
      cut(reader);
    });
  };

  return {
    /** Throws a DomainError as long as the response has not started. */
    async open(request: StreamRequest): Promise<void> {
      const leave = limit.enter(request);
      try {
        const { marketplaceId, cursorMicros } = request;
        const position = await gate(() => options.findStart({ marketplaceId, cursorMicros }));
        limit.refuseWhenClosed();
        serve(request, { position, leave });
      } catch (error) {
        leave();
        throw error;
      }
    },
    refresh: feed.refresh,
    refreshAll: feed.refreshAll,
    recheckKeys: keys.recheck,
    get marketplaces() {
      return feed.marketplaces;
    },
    get connections() {
      return limit.count;
    },
    /** Ends every stream after a whole message. Clients resume at another server by their cursor. */
    async close(): Promise<void> {
      limit.close();
      pings.stop();
      keys.stop();
      for (const reader of pings.readers()) end(reader);
      await feed.close();
    },
  };
};

export type Stream = ReturnType<typeof createStream>;
