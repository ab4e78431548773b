// When the payment provider is asked about which top-up. It is no state of the top-up and commands know nothing of it:
// it only spreads the load, ever thinner the older a top-up is.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/table-sql.ts';
import type { PlacedTopUp } from './queries.ts';
import { TOPUPS } from './topup.ts';

/** Written out, because only so the index is used. */
const OPEN = `(t.status in ('TOPUP_CREATED', 'TOPUP_AWAITING_USER_CONFIRMATION', 'TOPUP_PROCESSING')
  or t.status = 'TOPUP_SUCCEEDED' and t.fee is null)`;

// Whoever takes one also puts it off, so that another process does not take it too: by half of its age, within bounds. It is
// as young as either clock says, ours or the database's: one that is hours ahead would make a new one wait for hours.
const TAKE = `update topups t
  set next_look_at = now() + least(interval '6 hours',
    greatest(interval '1 minute', (least(now(), $2::timestamptz) - t.created_at) / 2))
  from (
    select t.marketplace_id, t.id from topups t where ${OPEN} and t.next_look_at <= now()
    order by t.next_look_at limit $1 for update skip locked
  ) due
  where t.marketplace_id = due.marketplace_id and t.id = due.id
  returning t.marketplace_id as "marketplaceId", ${selected(TOPUPS)}`;

const SOON = 'update topups set next_look_at = now() where marketplace_id = $1 and id = $2';

export const createTopUpLooks = (pool: pg.Pool) => ({
  /** Those that are due, of all marketplaces; the longest due first. */
  async takeDue(limit: number): Promise<PlacedTopUp[]> {
    const { rows } = await pool.query({
      name: 'topups-to-look-at',
      text: TAKE,
      values: [limit, formatInstant(systemClock())],
    });
    return rows.map(({ marketplaceId, ...topup }) => ({ marketplaceId, topup }));
  },

  /** Lets the next run look at it, however old it is. */
  async lookSoon(marketplaceId: string, id: string): Promise<void> {
    await pool.query({ name: 'topup-look-soon', text: SOON, values: [marketplaceId, id] });
  },
});

export type TopUpLooks = ReturnType<typeof createTopUpLooks>;
