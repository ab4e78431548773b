// The job that polls open top-ups, repeats requests whose answer was lost and reads ended top-ups for late payments, and the time at
// which each top-up is polled. The poll time is not part of the top-up's state and commands do not read it: it only spreads the load.
// Older top-ups are polled less often.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/tables.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { laterThanNow, ofMarketplace, sendWhereDue } from '../../postgres/by-marketplace.ts';
import type { PlacedTopUp } from './queries.ts';
import { TOPUPS } from './topup.ts';

type Polls = { refreshDue(): Promise<void>; watchDue(): Promise<void> };

/** A starting server polls once on its own, as soon as payers can return to it. */
export const refreshTopUps = ({ refreshDue, watchDue }: Polls): Job => ({
  ...scheduled('refresh-topups'),
  async run() {
    await refreshDue();
    await watchDue();
  },
});

/** Written out, because the index is used only in this form. */
const OPEN = `(t.status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
  or t.status = 'TOPUP_SUCCEEDED' and t.fee is null)`;

// A claim also sets the next poll time, so that no other process claims the same top-up: later by half of its age, within bounds.
// The age is the smaller one by our clock and the database's clock: a clock that is hours ahead would delay a new top-up by hours.
// A part of its own, because a subquery may be read again for each row of the update, and would then claim more than the limit.
const CLAIM = `with due as (
    select t.marketplace_id, t.id from topups t where ${OPEN} and t.next_look_at <= now() and ${ofMarketplace('t.marketplace_id', 3)}
    order by t.next_look_at limit $1 for update skip locked
  )
  update topups t set next_look_at = ${laterThanNow(`least(interval '6 hours',
    greatest(interval '1 minute', (least(now(), $2::timestamptz) - t.created_at) / 2))`)}
  from due where t.marketplace_id = due.marketplace_id and t.id = due.id and ${ofMarketplace('t.marketplace_id', 3)}
  returning t.marketplace_id as "marketplaceId", ${selected(TOPUPS)}`;

const FIND_DUE = `select t.marketplace_id as "marketplaceId" from topups t where ${OPEN} and t.next_look_at <= now()
  order by t.next_look_at limit $1`;

/** Written out, because the index is used only in this form. */
const WATCHED = `t.status in ('TOPUP_FAILED', 'TOPUP_CANCELED') and t.late_amount is null and t.next_look_at < 'infinity'`;

// Each wait is as long as the time since the end, within bounds: about fourteen reads in a week. The last read is marked, and the
// watch stops only when that read was answered.
const CLAIM_WATCHED = `with due as (
    select t.marketplace_id, t.id, t.updated_at <= now() - $2 * interval '1 millisecond' as is_last from topups t
    where ${WATCHED} and t.next_look_at <= now() and ${ofMarketplace('t.marketplace_id', 3)}
    order by t.next_look_at limit $1 for update skip locked)
  update topups t set next_look_at = ${laterThanNow(`least(interval '1 day', greatest(interval '10 minutes', now() - t.updated_at))`)}
  from due where t.marketplace_id = due.marketplace_id and t.id = due.id and ${ofMarketplace('t.marketplace_id', 3)}
  returning t.marketplace_id as "marketplaceId", due.is_last as "isLast", ${selected(TOPUPS)}`;

const FIND_WATCHED = `select t.marketplace_id as "marketplaceId" from topups t where ${WATCHED} and t.next_look_at <= now()
  order by t.next_look_at limit $1`;

const STOP = `update topups set next_look_at = 'infinity' where marketplace_id = $1 and id = $2 and late_amount is null
  and status in ('TOPUP_FAILED', 'TOPUP_CANCELED')`;

/** A top-up that has ended unpaid and may still be paid. `isLast`: its time is over after this read. */
export type WatchedTopUp = PlacedTopUp & { readonly isLast: boolean };

const SOON = 'update topups set next_look_at = now() where marketplace_id = $1 and id = $2';

export const createTopUpPollTimes = (pool: pg.Pool) => ({
  /** The due top-ups of all marketplaces, the longest due first. */
  async claimDue(limit: number): Promise<PlacedTopUp[]> {
    const now = formatInstant(systemClock());
    const rows = await sendWhereDue(pool, {
      find: FIND_DUE,
      limit,
      send: async (of) =>
        (await pool.query({ name: 'topups-to-poll', text: CLAIM, values: [of.limit, now, of.marketplaceId] })).rows,
    });
    return rows.map(({ marketplaceId, ...topup }) => ({ marketplaceId, topup }));
  },

  /** Ended top-ups that are due for another read, of all marketplaces. */
  async claimWatched({ limit, watchMs }: { limit: number; watchMs: number }): Promise<WatchedTopUp[]> {
    const rows = await sendWhereDue(pool, {
      find: FIND_WATCHED,
      limit,
      send: async (of) => {
        const values = [of.limit, watchMs, of.marketplaceId];
        return (await pool.query({ name: 'topups-to-watch', text: CLAIM_WATCHED, values })).rows;
      },
    });
    return rows.map(({ marketplaceId, isLast, ...topup }) => ({ marketplaceId, isLast, topup }));
  },

  async stopWatching(marketplaceId: string, id: string): Promise<void> {
    await pool.query({ name: 'topup-stop-watching', text: STOP, values: [marketplaceId, id] });
  },

  /** Makes the top-up due for the next run, at any age. */
  async pollSoon(marketplaceId: string, id: string): Promise<void> {
    await pool.query({ name: 'topup-poll-soon', text: SOON, values: [marketplaceId, id] });
  },
});

export type TopUpPollTimes = ReturnType<typeof createTopUpPollTimes>;
