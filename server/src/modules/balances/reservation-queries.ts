// Reads of a user's reservations, newest first.

import type pg from 'pg';
import { selected } from '../../commit/table-sql.ts';
import { conditions, formatPlace, type PageOf, type PageRequest, parsePlace } from '../../postgres/page.ts';
import { RESERVATIONS, type Reservation } from './reservation.ts';

export type ReservationFilter = { readonly userId: string; readonly active?: boolean; readonly currency?: string };

const EXISTS = 'select 1 from users where marketplace_id = $1 and id = $2';

export const createReservationReads = (pool: pg.Pool) => ({
  async hasUser(marketplaceId: string, userId: string): Promise<boolean> {
    return (await pool.query(EXISTS, [marketplaceId, userId])).rowCount === 1;
  },

  /** Null when the cursor is not one. */
  async list(ask: PageRequest & ReservationFilter): Promise<PageOf<Reservation> | null> {
    const place = ask.cursor === null ? null : parsePlace(ask.cursor);
    if (ask.cursor !== null && place === null) return null;
    const { where, values } = conditions(ask.marketplaceId, [
      ['t.user_id = ?', ask.userId],
      ['t.currency = ?', ask.currency],
      ['(t.remaining > 0) = ?', ask.active],
    ]);
    const next = values.length;
    const before = place ? ` and (t.opened_at, t.id) < ($${next + 1}::timestamptz, $${next + 2})` : '';
    const { rows } = await pool.query<Reservation>(
      `select ${selected(RESERVATIONS)} from reservations t where ${where}${before}
       order by t.opened_at desc, t.id desc limit ${ask.limit + 1}`,
      [...values, ...(place ?? [])],
    );
    const page = rows.slice(0, ask.limit);
    const last = page.at(-1);
    return { rows: page, nextCursor: rows.length > ask.limit && last ? formatPlace([last.openedAt, last.id]) : null };
  },
});

export type ReservationReads = ReturnType<typeof createReservationReads>;
