// The state of the events page: the newest events up to a limit, and separately the events that arrived while it was
// paused. The functions are pure, so a burst costs one update and not one rendering per event.

import type { HoldfastEvent } from '@holdfast/sdk';

export const SHOWN_MAX = 1_000;

export type Tail = {
  /** Newest first. */
  readonly shown: readonly HoldfastEvent[];
  /** Events that arrived while paused, newest first; at most SHOWN_MAX. */
  readonly held: readonly HoldfastEvent[];
  /** The number of all received events, including those dropped since. */
  readonly received: number;
  readonly waiting: number;
  /** By the user, or because a replay has filled the page. */
  readonly pausedBy: 'hand' | 'replay' | null;
  /** Events up to this time are a replay; null when nothing is replayed. */
  readonly replayUntilMs: number | null;
};

export type Step =
  | { readonly kind: 'begin'; readonly seed: readonly HoldfastEvent[]; readonly replayUntilMs: number | null }
  | { readonly kind: 'take'; readonly fresh: readonly HoldfastEvent[] }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' };

export const EMPTY_TAIL: Tail = {
  shown: [],
  held: [],
  received: 0,
  waiting: 0,
  pausedBy: null,
  replayUntilMs: null,
};

export const tailAfter = (tail: Tail, step: Step): Tail => {
  switch (step.kind) {
    case 'begin': {
      const { seed, replayUntilMs } = step;
      return { ...EMPTY_TAIL, shown: seed.slice(0, SHOWN_MAX), received: seed.length, replayUntilMs };
    }
    case 'take':
      return take({ ...tail, received: tail.received + step.fresh.length }, step.fresh);
    case 'pause':
      return tail.pausedBy ? tail : { ...tail, pausedBy: 'hand' };
    case 'resume':
      return {
        ...tail,
        shown: newest(tail.held, tail.shown),
        held: [],
        waiting: 0,
        pausedBy: null,
        replayUntilMs: null,
      };
  }
};

const newest = (fresh: readonly HoldfastEvent[], before: readonly HoldfastEvent[]): readonly HoldfastEvent[] =>
  [...fresh, ...before].slice(0, SHOWN_MAX);

/** `fresh` is oldest first. */
const take = (tail: Tail, fresh: readonly HoldfastEvent[]): Tail => {
  if (tail.pausedBy) return hold(tail, fresh);
  const room = SHOWN_MAX - tail.shown.length;
  // A replay pauses when the page is full, so that the events after the chosen time stay visible.
  if (isReplay(tail, fresh) && fresh.length > room) {
    const filled = { ...tail, shown: newest(fresh.slice(0, room).reverse(), tail.shown) };
    return hold({ ...filled, pausedBy: 'replay' }, fresh.slice(room));
  }
  return { ...tail, shown: newest([...fresh].reverse(), tail.shown) };
};

const hold = (tail: Tail, fresh: readonly HoldfastEvent[]): Tail => ({
  ...tail,
  held: newest([...fresh].reverse(), tail.held),
  waiting: tail.waiting + fresh.length,
});

const isReplay = ({ replayUntilMs }: Tail, fresh: readonly HoldfastEvent[]): boolean =>
  replayUntilMs !== null && fresh.length > 0 && Date.parse(fresh[0]!.occurredAt) <= replayUntilMs;
