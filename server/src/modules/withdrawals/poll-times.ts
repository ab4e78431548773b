// When somebody looks what became of which withdrawal. It is no state of the withdrawal and commands know nothing of it: it
// only spreads the load, ever thinner the older a withdrawal is.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/table-sql.ts';
import type { PlacedWithdrawal } from './queries.ts';
import { WITHDRAWALS } from './withdrawal.ts';

/** Written out, because only so the index is used. */
const UNDER_WAY = `t.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')`;

// One that has just changed is in somebody's hands. Whoever takes one also puts it off, so that another process does not
// take it too: by half of its age, within bounds. It is as young as either clock says, ours or the database's: one that
// is hours ahead would make a new one wait for hours. When it changed is told by ours, which wrote it; what is ahead of that
// was written before it was set back.
const TAKE = `update withdrawals t
  set next_look_at = now() + least(interval '6 hours',
    greatest(interval '1 minute', (least(now(), $2::timestamptz) - t.committed_at) / 2))
  from (
    select t.marketplace_id, t.id from withdrawals t
    where ${UNDER_WAY} and t.next_look_at <= now()
      and t.updated_at not between $2::timestamptz - interval '1 minute' and $2::timestamptz + interval '1 minute'
    order by t.next_look_at limit $1 for update skip locked
  ) due
  where t.marketplace_id = due.marketplace_id and t.id = due.id
  returning t.marketplace_id as "marketplaceId", ${selected(WITHDRAWALS)}`;

export const createWithdrawalLooks = (pool: pg.Pool) => ({
  /** Those that are due, of all marketplaces; the longest due first. */
  async takeDue(limit: number): Promise<PlacedWithdrawal[]> {
    const { rows } = await pool.query({
      name: 'withdrawals-to-look-at',
      text: TAKE,
      values: [limit, formatInstant(systemClock())],
    });
    return rows.map(({ marketplaceId, ...withdrawal }) => ({ marketplaceId, withdrawal }));
  },
});

export type WithdrawalLooks = ReturnType<typeof createWithdrawalLooks>;
