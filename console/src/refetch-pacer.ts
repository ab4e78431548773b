// Limits how often queries are refetched while events arrive. The first event of a burst refetches at once. After that
// each query name waits, longer the more requests it takes, because a key has a rate limit (100 per minute by default)
// and a proof reads every posting.

import type { Stale } from './stale-queries.ts';

type RefetchPacer = {
  /** Refetches now, or as soon as the rate allows it. */
  request(name: string, ids: readonly string[]): void;
  stop(): void;
};

type PacerOptions = {
  readonly refetch: (stale: Stale) => void;
  /** The number of requests that a refetch takes now. */
  readonly costOf: (stale: Stale) => number;
};

const USUAL_MS = 2_500;
/** No query name takes more than 30 requests per minute for long, however many pages of a list are shown. */
const PER_REQUEST_MS = 2_000;
/** The largest burst of requests after a quiet time. */
const SAVED_MAX = 40;

const SLOWER_MS: Readonly<Record<string, number>> = {
  reports: 5_000,
  proof: 30_000,
};

type Account = { readonly saved: number; readonly atMs: number };

export const createRefetchPacer = ({ refetch, costOf }: PacerOptions): RefetchPacer => {
  const accounts = new Map<string, Account>();
  const waiting = new Map<string, { readonly timer: ReturnType<typeof setTimeout>; readonly ids: Set<string> }>();

  const go = (stale: Stale): void => {
    const cost = costOf(stale);
    waiting.delete(stale.name);
    // A query that no component shows is only marked stale.
    if (cost > 0) {
      const atMs = Date.now();
      accounts.set(stale.name, { saved: savedNow(accounts.get(stale.name), atMs) - cost, atMs });
    }
    refetch(stale);
  };

  return {
    request(name, ids) {
      const before = waiting.get(name);
      if (before) {
        for (const id of ids) before.ids.add(id);
        return;
      }
      const stale = { name, ids: new Set(ids) };
      const rest = restOf(accounts.get(name), { name, cost: costOf(stale) });
      if (rest <= 0) go(stale);
      else waiting.set(name, { ids: stale.ids, timer: setTimeout(() => go(stale), rest) });
    },
    stop() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
};

const savedNow = (account: Account | undefined, nowMs: number): number =>
  account ? Math.min(SAVED_MAX, account.saved + (nowMs - account.atMs) / PER_REQUEST_MS) : SAVED_MAX;

const restOf = (account: Account | undefined, { name, cost }: { name: string; cost: number }): number => {
  if (!account || cost === 0) return 0;
  const nowMs = Date.now();
  const missing = Math.min(cost, SAVED_MAX) - savedNow(account, nowMs);
  return Math.max(account.atMs + (SLOWER_MS[name] ?? USUAL_MS) - nowMs, missing * PER_REQUEST_MS);
};
