// The budget of hints: how many unsigned escrow webhooks all servers of a database look at in a minute. Anyone can send one, so a hint is
// counted before it costs a request to an outside system. The count of this process comes first, so that a flood costs no query. A hint
// within it takes one from the count of all processes in the database. That count is not a part of the books: it is written without a
// command.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';

const WINDOW_MS = 60_000;

/** The budget of this process. Returns false when the hints of the last minute have used the budget up. */
export const createHintBudget = (perMinute: number, nowMs: () => number = () => performance.now()): (() => boolean) => {
  // Times of the hints within the last minute, oldest first.
  const taken: number[] = [];
  return () => {
    const since = nowMs() - WINDOW_MS;
    while (taken.length > 0 && taken[0]! <= since) taken.shift();
    if (taken.length >= perMinute) return false;
    taken.push(nowMs());
    return true;
  };
};

// A minute that ends later than the second one from now was begun before the clock was set back. A minute that ends a little later than
// this statement's own was begun by a statement that started later and came first. The new row ends a minute from now: with a difference
// of two times, a distributed database need not know what `now()` is on the machine of the row.
const IS_OVER = `(excluded.ends_at - c.ends_at >= interval '1 minute' or c.ends_at - excluded.ends_at > interval '1 minute')`;

/** Changes no row when the budget is used up. The minute begins with its first hint. */
const TAKE = `insert into hint_counts as c (marketplace_id, id, hints, ends_at)
  values ($1, $2, 1, now() + interval '1 minute')
  on conflict (marketplace_id, id) do update set
    hints = case when ${IS_OVER} then 1 else c.hints + 1 end,
    ends_at = case when ${IS_OVER} then excluded.ends_at else c.ends_at end
  where ${IS_OVER} or c.hints < $3`;

const ROW = [DEFAULT_MARKETPLACE, 'escrow-provider'];

type Sharing = {
  readonly perMinute: number;
  /** The budget of this process. */
  mayAsk(): boolean;
  onTrouble(message: string, error: unknown): void;
};

/** The budget of all processes. A hint that cannot be counted is dropped: the poll of open escrows finds the same. */
export const shareHintBudget =
  (pool: pg.Pool, { perMinute, mayAsk, onTrouble }: Sharing): (() => Promise<boolean>) =>
  async () => {
    if (!mayAsk()) return false;
    try {
      return (await pool.query(TAKE, [...ROW, perMinute])).rowCount === 1;
    } catch (error) {
      onTrouble('an unsigned escrow webhook could not be counted and was ignored', error);
      return false;
    }
  };
