// The jobs of withdrawals, and the time at which each withdrawal is polled. The poll time is not part of the withdrawal's state and
// commands do not read it: it only spreads the load. Older withdrawals are polled less often.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/tables.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { laterThanNow, ofMarketplace, sendWhereDue } from '../../postgres/by-marketplace.ts';
import type { PlacedWithdrawal } from './queries.ts';
import { WITHDRAWALS } from './withdrawal.ts';

type Refresh = { refreshDue(): Promise<void>; showAlerts(): Promise<void> };

/** Polls withdrawals whose webhook did not arrive, retries payouts with an unknown outcome, and shows payouts over another amount. */
export const refreshWithdrawals = ({ refreshDue, showAlerts }: Refresh): Job => ({
  ...scheduled('refresh-withdrawals'),
  async run() {
    await refreshDue();
    await showAlerts();
  },
});

/** Returns the reserved money of withdrawals that were not committed in time. */
export const expireWithdrawals = ({ expireDue }: { expireDue(): Promise<void> }): Job => ({
  ...scheduled('expire-withdrawals'),
  atStart: true,
  run: expireDue,
});

/** Written out, because the index is used only in this form. */
const UNDER_WAY = `t.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')`;

// A withdrawal that has just changed is being worked on, so it is not due. A claim also sets the next poll time, so that no other
// process claims the same withdrawal: later by half of its age, within bounds. The age is the smaller one by our clock and the
// database's clock: a clock that is hours ahead would delay a new withdrawal by hours. Our clock wrote updated_at; a time ahead of it
// was written before the clock was set back.
const IS_DUE = `${UNDER_WAY} and t.next_look_at <= now()
  and t.updated_at not between $2::timestamptz - interval '1 minute' and $2::timestamptz + interval '1 minute'`;

// A part of its own, because a subquery may be read again for each row of the update, and would then claim more than the limit.
const CLAIM = `with due as (
    select t.marketplace_id, t.id from withdrawals t where ${IS_DUE} and ${ofMarketplace('t.marketplace_id', 3)}
    order by t.next_look_at limit $1 for update skip locked
  )
  update withdrawals t set next_look_at = ${laterThanNow(`least(interval '6 hours',
    greatest(interval '1 minute', (least(now(), $2::timestamptz) - t.committed_at) / 2))`)}
  from due where t.marketplace_id = due.marketplace_id and t.id = due.id and ${ofMarketplace('t.marketplace_id', 3)}
  returning t.marketplace_id as "marketplaceId", ${selected(WITHDRAWALS)}`;

const FIND_DUE = `select t.marketplace_id as "marketplaceId" from withdrawals t where ${IS_DUE} order by t.next_look_at limit $1`;

export const createWithdrawalPollTimes = (pool: pg.Pool) => ({
  /** The due withdrawals of all marketplaces, the longest due first. */
  async claimDue(limit: number): Promise<PlacedWithdrawal[]> {
    const now = formatInstant(systemClock());
    const rows = await sendWhereDue(pool, {
      find: FIND_DUE,
      values: [now],
      limit,
      send: async (of) =>
        (await pool.query({ name: 'withdrawals-to-poll', text: CLAIM, values: [of.limit, now, of.marketplaceId] }))
          .rows,
    });
    return rows.map(({ marketplaceId, ...withdrawal }) => ({ marketplaceId, withdrawal }));
  },
});

export type WithdrawalPollTimes = ReturnType<typeof createWithdrawalPollTimes>;
