// What one endpoint can be sent now: the events of a resource one after the other, and failed ones when their time has come. A failed event
// holds the later ones of its resource back for its first attempts only, so that one event that is never accepted does not stop the rest.

import type { SentEvent } from '../delivery.ts';
import { createWaits } from './waits.ts';

export type Item = {
  readonly deliveryId: string;
  readonly event: SentEvent;
  /** Null: it has to be read. */
  envelope: string | null;
  tries: number;
};

/** An event that failed so often no longer holds back later events of its resource. */
const HOLDING_TRIES_MAX = 3;
/** The same, while the endpoint gets nothing because all events that were taken wait behind failed ones. */
const STALLING_TRIES = 2;
/** An event that holds nothing back and waits longer than this is forgotten, and read again when it is due. */
export const REMEMBERED_MS = 60_000;

/** A request for many more is carried out like all else, so that it does not flood an endpoint that has asked for time. */
const REQUESTED_MAX = 8;

/** Items of one resource in order. The first of a line is the one that is sent. */
const createLines = () => {
  const lines = new Map<string, Item[]>();
  return {
    /** Returns whether the item is the first. */
    enter(item: Item): boolean {
      const line = lines.get(item.event.aggregateId);
      if (line) line.push(item);
      else lines.set(item.event.aggregateId, [item]);
      return line === undefined;
    },
    /** Returns the next item, when this one was the first. */
    leave(item: Item): Item | undefined {
      const line = lines.get(item.event.aggregateId);
      if (line?.[0] !== item) return undefined;
      line.shift();
      if (line.length === 0) lines.delete(item.event.aggregateId);
      return line[0];
    },
    /** Takes an item out that is not the first. Returns false when there is none. */
    takeOut(item: Item): boolean {
      const line = lines.get(item.event.aggregateId);
      const place = line?.indexOf(item) ?? -1;
      if (place > 0) line!.splice(place, 1);
      return place > 0;
    },
    first: (item: Item): Item | undefined => lines.get(item.event.aggregateId)?.[0],
  };
};

type Waits = Pick<ReturnType<typeof createWaits<Item>>, 'has' | 'remove'>;

/** Which items may be sent although their resource has others. */
const createEntrance = ({ lines, waits }: { lines: ReturnType<typeof createLines>; waits: Waits }) => {
  /** A request does not wait for the next attempt of another event, which may be hours away. */
  const isHeldByWaiting = (item: Item): boolean => {
    const first = lines.first(item);
    return first !== undefined && waits.has(first);
  };

  /** Returns whether the item can be sent. Test events have no order. */
  const enter = (item: Item, isRequest: boolean): boolean =>
    item.event.position === null ||
    item.tries >= HOLDING_TRIES_MAX ||
    (isRequest && isHeldByWaiting(item)) ||
    lines.enter(item);

  /** Returns whether an item that is there already was waiting and can be sent. */
  const leaveWait = (item: Item, isRequest: boolean): boolean => {
    if (!waits.has(item)) return isRequest && isHeldByWaiting(item) && lines.takeOut(item);
    waits.remove(item);
    return true;
  };

  return { enter, leaveWait };
};

export type SendQueue = ReturnType<typeof createSendQueue>;

/** `onReady`: an item that waited can be sent now. */
export const createSendQueue = (onReady: () => void) => {
  const lines = createLines();
  /** Everything that is queued, on its way or waiting, so that nothing is sent twice at once. */
  const known = new Map<string, Item>();
  let ready: Item[] = [];
  let requested: Item[] = [];
  const waits = createWaits<Item>((item) => {
    ready.push(item);
    onReady();
  });

  const { enter, leaveWait } = createEntrance({ lines, waits });

  const letNext = (item: Item): void => {
    const next = lines.leave(item);
    if (next) ready.push(next);
  };

  return {
    /** The item was delivered, so the next one of its resource can be sent. */
    letNext,
    take: (): Item | undefined => requested.shift() ?? ready.shift(),
    /** During a pause of the endpoint only what a request wants. */
    hasNext: (isPaused: boolean): boolean => requested.length > 0 || (!isPaused && ready.length > 0),
    isEmpty: (): boolean => ready.length === 0 && requested.length === 0,
    /** Returns false when the item is there already. */
    add(item: Item): boolean {
      if (known.has(item.deliveryId)) return false;
      known.set(item.deliveryId, item);
      if (lines.enter(item)) ready.push(item);
      return true;
    },
    /** The item was not sent and is the next one again. */
    putBack: (item: Item): void => void ready.unshift(item),
    /** How many wait for their next attempt. */
    waiting: (): number => waits.count(),
    /** An item that failed before this sender began, or one without a try: a request wants it to be sent now. */
    addFailed(item: Item, at: string): void {
      const isRequest = item.tries === 0;
      const isDue = isRequest || Date.parse(at) <= Date.now();
      const earlier = known.get(item.deliveryId);
      if (earlier) {
        if (!isDue || !leaveWait(earlier, isRequest)) return;
      } else {
        known.set(item.deliveryId, item);
        if (!enter(item, isRequest)) return;
      }
      if (!isDue) waits.add(item, at);
      else (isRequest && requested.length < REQUESTED_MAX ? requested : ready).push(earlier ?? item);
    },
    /** The attempt is recorded. `at`: when it is tried next. Null: it has ended. */
    settle(item: Item, at: string | null): void {
      const holdsBack = at !== null && item.tries < HOLDING_TRIES_MAX;
      if (at !== null && (holdsBack || Date.parse(at) - Date.now() < REMEMBERED_MS)) waits.add(item, at);
      else known.delete(item.deliveryId);
      if (!holdsBack) letNext(item);
    },
    /** Only held events are left: those that were refused twice hold nothing back any more. Returns whether there is something to send. */
    letHeldGo(): boolean {
      for (const item of waits.items()) if (item.tries >= STALLING_TRIES) letNext(item);
      return ready.length > 0;
    },
    /** The endpoint answers again, so nothing has to wait for its next attempt. */
    tryAll: (): void => waits.endAll(),
    clear(): void {
      ready = [];
      requested = [];
      waits.clear();
    },
  };
};
