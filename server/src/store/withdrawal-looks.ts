// When somebody looks what became of which withdrawal. It is no state of the withdrawal and commands know nothing of it: it
// only spreads the load, ever thinner the older a withdrawal is.

import type pg from 'pg';
import type { PlacedWithdrawal } from './reads/withdrawals.ts';
import { selected } from './table-sql.ts';

/** Written out, because only so the index is used. */
const UNDER_WAY = `t.status in ('WITHDRAWAL_COMMITTED', 'WITHDRAWAL_PENDING', 'WITHDRAWAL_PENDING_USER_ACTION')`;

// One that has just changed is in somebody's hands. Whoever takes one also puts it off, so that another process does not
// take it too: by half of its age, within bounds.
const TAKE = `update withdrawals t
  set next_look_at = now() + least(greatest((now() - t.committed_at) / 2, interval '1 minute'), interval '6 hours')
  from (
    select t.marketplace_id, t.id from withdrawals t
    where ${UNDER_WAY} and t.next_look_at <= now() and t.updated_at <= now() - interval '1 minute'
    order by t.next_look_at limit $1 for update skip locked
  ) due
  where t.marketplace_id = due.marketplace_id and t.id = due.id
  returning t.marketplace_id as "marketplaceId", ${selected('withdrawals')}`;

export const createWithdrawalLooks = (pool: pg.Pool) => ({
  /** Those that are due, of all marketplaces; the longest due first. */
  async takeDue(limit: number): Promise<PlacedWithdrawal[]> {
    const { rows } = await pool.query({ name: 'withdrawals-to-look-at', text: TAKE, values: [limit] });
    return rows.map(({ marketplaceId, ...withdrawal }) => ({ marketplaceId, withdrawal }));
  },
});

export type WithdrawalLooks = ReturnType<typeof createWithdrawalLooks>;
