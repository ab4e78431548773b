// The live readers of one marketplace, and how new events are written to them. Readers with the same filter get the same bytes.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Filter, matches } from './filter.ts';
import { frameOf, type Packet, packetOf, type StreamEvent } from './packet.ts';
import { type Bounds, type Reader, send } from './reader.ts';

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
export const addLiveReader = ({ groups }: Topic, reader: Reader): void => {
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
      return send(reader, packet, options.bounds);
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
