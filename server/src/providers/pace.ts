// Decides when a request to a provider may be sent: within the provider's rate, within a number at once, and within the share of its
// marketplace. It decides nothing about money: a request that is held back is an unknown.

import { createWaitingLine, type Priority } from './waiting-line.ts';

/** Whom a request is for. The marketplace is null where the request is for the whole service. */
export type Requester = { readonly priority: Priority; readonly marketplaceId: string | null };

type Pace = {
  /** Resolves when the request may be sent, or with null when that is after the deadline or too many are waiting. */
  enter(request: Requester & { readonly deadline: number }): Promise<(() => void) | null>;
  /** The provider asked us to wait. */
  holdUntil(time: number): void;
};

export type PaceRules = {
  /** Null: no known limit. */
  rate: { max: number; windowMs: number } | null;
  concurrencyMax: number;
  queueMax: number;
  /** How much one party may use of what the others leave. */
  sharePercent: number;
  now: () => number;
};

type Party = string | null;

type Start = { readonly party: Party; readonly at: number };

/** The service's own requests that can wait have a share too: they must leave room for operations. */
const partyOf = ({ marketplaceId, priority }: Requester): Party =>
  marketplaceId ?? (priority === 'operation' ? null : 'service');

type Limit = { readonly max: number; readonly windowMs: number };

/** How long until this many more requests may start after those that started at these times, oldest first. */
const waitAfter = (starts: readonly Start[], more: { calls: number; limit: Limit; nowMs: number }): number => {
  const { calls, limit, nowMs } = more;
  const over = starts.length + calls - limit.max;
  if (over <= 0) return 0;
  const place = (over - 1) % limit.max;
  const windows = 1 + Math.floor((over - 1) / limit.max);
  return Math.max(0, (starts[place]?.at ?? nowMs) + windows * limit.windowMs - nowMs);
};

/** Of a party: how much of this many, beside what the others use. Null is not limited. */
type ShareOf = (party: Party, of: { readonly max: number; readonly ofOthers: number }) => number;

// Each further party finds a share of what is left, however many requests the others send.
const sharesOf =
  (sharePercent: number): ShareOf =>
  (party, { max, ofOthers }) =>
    party === null ? max : Math.max(1, Math.ceil(((max - ofOthers) * sharePercent) / 100));

const ownOf = (list: readonly Start[], wanted: Party) => list.filter(({ party }) => party === wanted);

/** Counts the requests that run, and those that started within the window of the rate. */
const createCounts = (
  { rate, concurrencyMax, now }: Pick<PaceRules, 'rate' | 'concurrencyMax' | 'now'>,
  shareOf: ShareOf,
) => {
  // Times of the starts within the window: never more than the rate allows in any window. A token bucket would allow nearly twice the
  // rate within the provider's first window.
  const starts: Start[] = [];
  const running: Start[] = [];
  let heldUntil = 0;

  const hasPlace = (party: Party): boolean => {
    if (running.length >= concurrencyMax) return false;
    const own = ownOf(running, party).length;
    return own < shareOf(party, { max: concurrencyMax, ofOthers: running.length - own });
  };

  /** How long until the rate, and the provider, allow this many more requests. */
  const waitFor = (party: Party, calls: { readonly all: number; readonly own: number; nowMs: number }): number => {
    const { nowMs } = calls;
    const held = Math.max(heldUntil - nowMs, 0);
    if (rate === null) return held;
    while (starts.length > 0 && starts[0]!.at <= nowMs - rate.windowMs) starts.shift();
    const own = ownOf(starts, party);
    const share = shareOf(party, { max: rate.max, ofOthers: starts.length - own.length });
    return Math.max(
      held,
      waitAfter(starts, { calls: calls.all, limit: rate, nowMs }),
      waitAfter(own, { calls: calls.own, limit: { ...rate, max: share }, nowMs }),
    );
  };

  return {
    waitFor,
    mayStart: (party: Party, nowMs: number): boolean =>
      hasPlace(party) && waitFor(party, { all: 1, own: 1, nowMs }) === 0,
    /** The time at which the provider's pause is over and the oldest start leaves the window. */
    nextChange: (): number =>
      Math.max(heldUntil, rate === null || starts.length === 0 ? 0 : starts[0]!.at + rate.windowMs),
    add(party: Party): Start {
      const start: Start = { party, at: now() };
      running.push(start);
      if (rate !== null) starts.push(start);
      return start;
    },
    /** False: it had ended before. */
    end(start: Start): boolean {
      const place = running.indexOf(start);
      if (place >= 0) running.splice(place, 1);
      return place >= 0;
    },
    holdUntil(time: number): void {
      heldUntil = Math.max(heldUntil, time);
    },
  };
};

/** Counts the requests of this process. Several processes share the provider's real limit, and the provider's 429 decides. */
export function createPace({ queueMax, sharePercent, now, ...limits }: PaceRules): Pace {
  const shareOf = sharesOf(sharePercent);
  const counts = createCounts({ ...limits, now }, shareOf);
  const line = createWaitingLine();
  let isPumpPlanned = false;

  function start(party: Party): () => void {
    const started = counts.add(party);
    return () => {
      if (counts.end(started)) pump();
    };
  }

  function pump(): void {
    // One reading of the clock. With a second one a start could leave the window in between, and no further pump would be planned.
    const nowMs = now();
    const mayStart = (party: Party): boolean => counts.mayStart(party, nowMs);
    for (let next = line.take(mayStart); next; next = line.take(mayStart)) next.admit(start(next.party));
    if (line.size > 0) planPump(nowMs);
  }

  // The end of a request pumps too. This is for requests that wait for the rate.
  function planPump(nowMs: number): void {
    const waitMs = counts.nextChange() - nowMs;
    if (isPumpPlanned || waitMs <= 0) return;
    isPumpPlanned = true;
    setTimeout(() => {
      isPumpPlanned = false;
      pump();
    }, waitMs).unref();
  }

  function hasRoom(request: { priority: Priority; party: Party }): boolean {
    const { party } = request;
    const own = line.countOf(party);
    const isShareFull = own >= shareOf(party, { max: queueMax, ofOthers: line.size - own });
    return (!isShareFull && line.size < queueMax) || line.makeRoom(request, { ofParty: isShareFull });
  }

  return {
    enter({ deadline, ...requester }) {
      const party = partyOf(requester);
      const nowMs = now();
      if (line.size === 0 && counts.mayStart(party, nowMs)) return Promise.resolve(start(party));
      const request = { priority: requester.priority, party };
      const ahead = line.aheadOf(request);
      // A request that cannot start before its deadline is refused at once.
      const waitMs = counts.waitFor(party, { all: ahead.all + 1, own: ahead.own + 1, nowMs });
      if (nowMs + waitMs > deadline || !hasRoom(request)) return Promise.resolve(null);
      return new Promise((admit) => {
        line.add({ ...request, admit, patienceMs: deadline - nowMs });
        pump();
      });
    },
    holdUntil: counts.holdUntil,
  };
}
