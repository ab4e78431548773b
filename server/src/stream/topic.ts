// The readers of one marketplace: how a new reader catches up and becomes live, and how new events are written to live readers. Readers
// with the same filter get the same bytes.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { ORDINARY_AGGREGATES } from '@holdfast/contract/events.ts';
import type { Gate } from '../base/concurrency.ts';
import { frameOf, type Packet, packetOf, type StreamEvent } from './packet.ts';
import { type Bounds, type Reader, send, sendAndWait } from './reader.ts';

export type Topic = {
  readonly marketplaceId: string;
  /** Events up to this position were read and distributed. */
  position: number;
  /** Live readers by their filter. */
  readonly groups: Map<string, { readonly filter: Filter; readonly readers: Set<Reader> }>;
  /** Live readers and those that are still catching up. */
  connections: number;
};

export type DistributorOptions = {
  readonly bounds: Bounds;
  cutOff(reader: Reader): void;
  sent(count: number): void;
  onTrouble(message: string, error: unknown): void;
};

/** Writes before other work of this process gets its turn. A write takes about 10 µs. */
const WRITES_PER_TURN = 200;

export const newTopic = (marketplaceId: string, position: number): Topic => ({
  marketplaceId,
  position,
  groups: new Map(),
  connections: 0,
});

/** The reader is live from now on. It must have every event up to the topic's position. */
const addLiveReader = ({ groups }: Topic, reader: Reader): void => {
  let group = groups.get(reader.filter.key);
  if (group === undefined) {
    group = { filter: reader.filter, readers: new Set() };
    groups.set(reader.filter.key, group);
  }
  reader.filter = group.filter;
  group.readers.add(reader);
};

export const removeReader = (topic: Topic, reader: Reader): void => {
  const group = topic.groups.get(reader.filter.key);
  if (group?.readers.delete(reader) && group.readers.size === 0) topic.groups.delete(reader.filter.key);
  topic.connections--;
};

const packetMaker = (events: readonly StreamEvent[]) => {
  const frames = events.map(frameOf);
  return (filter: Filter, after: number): Packet | null => {
    const wanted = frames.filter((_, i) => events[i]!.position > after && matches(filter, events[i]!));
    return wanted.length === 0 ? null : packetOf(wanted);
  };
};

export const createDistributor = (options: DistributorOptions) => {
  let writes = 0;

  const isSent = (reader: Reader, packet: Packet): boolean => {
    try {
      return send(reader, { packet, bounds: options.bounds });
    } catch (error) {
      options.onTrouble('writing to an event stream failed; the stream is cut off', error);
      return false;
    }
  };

  return async (topic: Topic, events: readonly StreamEvent[]): Promise<void> => {
    const first = events[0]!.position;
    // A reader that catches up from here on reads these events itself before it becomes live, and is skipped below.
    topic.position = events.at(-1)!.position;
    const packetFor = packetMaker(events);
    let sent = 0;
    for (const group of topic.groups.values()) {
      const shared = packetFor(group.filter, 0);
      if (shared === null) continue;
      for (const reader of group.readers) {
        const packet = reader.position < first ? shared : packetFor(group.filter, reader.position);
        if (packet === null) continue;
        // One broken connection must not cost the other readers their events.
        if (isSent(reader, packet)) sent += packet.events;
        else options.cutOff(reader);
        if (++writes % WRITES_PER_TURN === 0) await nextTurn();
      }
    }
    options.sent(sent);
  };
};

/** The events that a reader requested. Readers with the same filter have the same key and share one packet. */
export type Filter = {
  readonly key: string;
  /** Null: all types. */
  readonly types: readonly string[] | null;
  readonly resources: readonly string[] | null;
};

/** Without a filter, all but alerts. */
const EVERYTHING: Filter = { key: '', types: null, resources: ORDINARY_AGGREGATES };

const distinct = (names: readonly string[]): string[] | null =>
  names.length === 0 ? null : [...new Set(names)].sort();

export const filterOf = (request: { types: readonly string[]; resources: readonly string[] }): Filter => {
  const types = distinct(request.types);
  const resources = distinct(request.resources);
  if (types === null && resources === null) return EVERYTHING;
  return { key: `${types ?? ''};${resources ?? ''}`, types, resources };
};

const matches = (filter: Filter, event: StreamEvent): boolean =>
  (filter.types === null || filter.types.includes(event.eventType)) &&
  (filter.resources === null || filter.resources.includes(event.aggregateType));

type EventPageRequest = {
  readonly marketplaceId: string;
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly limit: number;
};

export type CatchUp = {
  listEvents(request: EventPageRequest): Promise<StreamEvent[]>;
  gate: Gate;
  sent(count: number): void;
};

const PAGE = 100;
/** Positions that one statement searches: a filter with few matches must not scan the whole history at once. */
const WINDOW = 20_000;

/**
 * Sends a new reader the stored events, page by page at the reader's own pace, until it has reached the position of the feed. The
 * reader becomes live in the same turn of the event loop. So no event is missed or repeated, and none is buffered.
 */
export const catchUp = async (parts: CatchUp, { topic, reader }: { topic: Topic; reader: Reader }): Promise<void> => {
  const { types, resources } = reader.filter;
  while (reader.open && reader.position < topic.position) {
    const after = reader.position;
    const upTo = Math.min(topic.position, after + WINDOW);
    const request = { marketplaceId: topic.marketplaceId, after, upTo, types, resources, limit: PAGE };
    const events = await parts.gate(() => parts.listEvents(request));
    if (events.length > 0 && reader.open) {
      await sendAndWait(reader, packetOf(events.map(frameOf)));
      parts.sent(events.length);
    }
    reader.position = events.length === PAGE ? events.at(-1)!.position : upTo;
  }
  // Nothing is awaited between the last check of the topic's position and this line.
  if (reader.open) addLiveReader(topic, reader);
};
