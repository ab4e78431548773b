// The one reader of the event table in this process. For every marketplace that somebody here listens to it knows how
// far it has read; when woken it reads on from there and hands the same bytes to all who asked for the same. Positions
// are gapless and become visible in order (they are given under the marketplace's lock, held until the commit), so what
// comes after the last position is complete: nothing is buffered, sorted or compared.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Filter, matches } from './filter.ts';
import { frameOf, type Packet, packetOf, type StreamEvent } from './packet.ts';
import { type Bounds, type Reader, send } from './reader.ts';

export type FedEvent = StreamEvent & { readonly marketplaceId: string };
export type Cursor = { readonly marketplaceId: string; readonly position: number };

export type Room = {
  readonly marketplaceId: string;
  /** Read and handed out up to here. */
  position: number;
  /** Those who listen live, by what they asked for. */
  readonly groups: Map<string, { readonly filter: Filter; readonly readers: Set<Reader> }>;
  /** Also counts those who are still being brought up to date. */
  guests: number;
};

export type FeedOptions = {
  eventsAfter(ask: { cursors: readonly Cursor[]; limit: number }): Promise<FedEvent[]>;
  bounds: Bounds;
  cutOff(reader: Reader): void;
  sent(count: number): void;
  onTrouble(message: string, error: unknown): void;
  /** How long a lost call can delay an event. */
  lookEveryMs: number;
};

const ROOMS_PER_READ = 100;
const EVENTS_PER_ROOM = 200;
/** Writes before other work of this process gets its turn; a write takes about 10 µs. */
const WRITES_PER_TURN = 200;

export const createFeed = (options: FeedOptions) => {
  const rooms = new Map<string, Room>();
  const woken = new Set<Room>();
  let reading: Promise<void> | null = null;
  let closed = false;
  let writes = 0;

  const delivered = (reader: Reader, packet: Packet): boolean => {
    try {
      return send(reader, packet, options.bounds);
    } catch (error) {
      options.onTrouble('a stream could not be written to and is cut off', error);
      return false;
    }
  };

  const handOut = async (room: Room, events: readonly StreamEvent[]): Promise<void> => {
    const first = events[0]!.position;
    // From here on a newcomer has to have all of these before it joins, and is passed over below.
    room.position = events.at(-1)!.position;
    const frames = events.map(frameOf);
    const packetFor = (filter: Filter, after: number): Packet | null => {
      const wanted = frames.filter((_, i) => events[i]!.position > after && matches(filter, events[i]!));
      return wanted.length === 0 ? null : packetOf(wanted);
    };
    let sent = 0;
    for (const group of room.groups.values()) {
      const shared = packetFor(group.filter, 0);
      if (shared === null) continue;
      for (const reader of group.readers) {
        const packet = reader.position < first ? shared : packetFor(group.filter, reader.position);
        if (packet === null) continue;
        // One connection that breaks must not cost the others their events.
        if (delivered(reader, packet)) sent += packet.events;
        else options.cutOff(reader);
        if (++writes % WRITES_PER_TURN === 0) await nextTurn();
      }
    }
    options.sent(sent);
  };

  const readOnce = async (): Promise<void> => {
    const batch = [...woken].slice(0, ROOMS_PER_READ);
    for (const room of batch) woken.delete(room);
    try {
      const events = await options.eventsAfter({ cursors: batch, limit: EVENTS_PER_ROOM });
      const byMarketplace = Map.groupBy(events, (event) => event.marketplaceId);
      for (const room of batch) {
        const own = byMarketplace.get(room.marketplaceId);
        if (own === undefined) continue;
        if (own.length === EVENTS_PER_ROOM) woken.add(room);
        await handOut(room, own);
      }
    } catch (error) {
      for (const room of batch) woken.add(room);
      throw error;
    }
  };

  const read = (): void => {
    if (reading !== null || closed || woken.size === 0) return;
    reading = (async () => {
      try {
        while (woken.size > 0 && !closed) await readOnce();
      } catch (error) {
        // The rooms stay woken, and the slow look tries again.
        options.onTrouble('events could not be read', error);
      }
      reading = null;
    })();
  };

  const lookAgain = (): void => {
    for (const room of rooms.values()) woken.add(room);
    read();
  };

  const slowLook = setInterval(lookAgain, options.lookEveryMs);
  slowLook.unref();

  return {
    wake(marketplaceIds: readonly string[]): void {
      for (const id of marketplaceIds) {
        const room = rooms.get(id);
        if (room) woken.add(room);
      }
      read();
    },
    lookAgain,

    /** The room of a marketplace for one more guest; `head` is where a new room begins. */
    enter(marketplaceId: string, head: number): Room {
      let room = rooms.get(marketplaceId);
      if (room === undefined) {
        room = { marketplaceId, position: head, groups: new Map(), guests: 0 };
        rooms.set(marketplaceId, room);
        // Calls for it were not heard before it was there.
        woken.add(room);
        read();
      }
      room.guests++;
      return room;
    },
    /** From now on live. The reader must have everything up to the room's position. */
    join(room: Room, reader: Reader): void {
      let group = room.groups.get(reader.filter.key);
      if (group === undefined) {
        group = { filter: reader.filter, readers: new Set() };
        room.groups.set(reader.filter.key, group);
      }
      reader.filter = group.filter;
      group.readers.add(reader);
    },
    leave(room: Room, reader: Reader): void {
      const group = room.groups.get(reader.filter.key);
      if (group?.readers.delete(reader) && group.readers.size === 0) room.groups.delete(reader.filter.key);
      if (--room.guests === 0) {
        rooms.delete(room.marketplaceId);
        woken.delete(room);
      }
    },
    get rooms(): number {
      return rooms.size;
    },
    async close(): Promise<void> {
      closed = true;
      clearInterval(slowLook);
      await reading;
    },
  };
};

export type Feed = ReturnType<typeof createFeed>;
