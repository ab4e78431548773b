// Reads of balances, straight from the accounts, and of reservations, newest first. It only reads.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { type Balance, reserved } from '../../books/accounts.ts';
import { fromUnits, ZERO } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { conditions, formatPlace, type PageOf, type PageRequest, parsePlace } from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { RESERVATIONS, type Reservation } from './reservation.ts';

export type BalanceColumns = {
  available: bigint | null;
  reserved: bigint | null;
  availableAt: string | null;
  reservedAt: string | null;
};

/** Joins a user row `t` of the marketplace `$1` with its two accounts of a currency. */
export const balanceJoin = (currency: Currency) => ({
  columns: `a.balance as available, r.balance as reserved, a.touched_at as "availableAt", r.touched_at as "reservedAt"`,
  joins: `left join accounts a on a.marketplace_id = $1 and a.id = t.id || ':available:${currency}'
    left join accounts r on r.marketplace_id = $1 and r.id = t.id || ':reserved:${currency}'`,
});

export const balanceOfRow = (
  row: BalanceColumns,
  of: { userId: string; currency: Currency; createdAt: string },
): Balance => ({
  userId: of.userId,
  currency: of.currency,
  available: row.available === null ? ZERO : fromUnits(row.available),
  reserved: row.reserved === null ? ZERO : fromUnits(row.reserved),
  updatedAt:
    [row.availableAt, row.reservedAt]
      .filter((at) => at !== null)
      .sort()
      .at(-1) ?? of.createdAt,
});

export type BalanceRequest = { readonly marketplaceId: string; readonly userId: string; readonly currency: Currency };

const findText = (currency: Currency): string => {
  const { columns, joins } = balanceJoin(currency);
  return `select t.id, t.created_at as "createdAt", ${columns} from ${byIds('users')} ${joins}`;
};

export const createBalanceReads = (pool: pg.Pool) => {
  const read = (currency: Currency) =>
    shareReads<BalanceColumns & { createdAt: string }>(pool, { text: findText(currency) });
  const reads = new Map(CURRENCIES.map((currency) => [currency, read(currency)]));
  return {
    async find({ marketplaceId, userId, currency }: BalanceRequest): Promise<Balance | null> {
      const row = await reads.get(currency)!(marketplaceId, userId);
      return row && balanceOfRow(row, { userId, currency, createdAt: row.createdAt });
    },
  };
};

export type BalanceReads = ReturnType<typeof createBalanceReads>;

type ReservationFilter = { readonly userId: string; readonly active?: boolean; readonly currency?: Currency };

const EXISTS = 'select 1 from users where marketplace_id = $1 and id = $2';

// Every reservation has this account. Without it, none of the other reservations of the user is read.
const HAS_ACCOUNT = 'exists (select 1 from accounts a where a.marketplace_id = $1 and a.id = ?)';

export const createReservationReads = (pool: pg.Pool) => ({
  async hasUser(marketplaceId: string, userId: string): Promise<boolean> {
    return (await pool.query(EXISTS, [marketplaceId, userId])).rowCount === 1;
  },

  /** Null when the cursor is invalid. */
  async list(request: PageRequest & ReservationFilter): Promise<PageOf<Reservation> | null> {
    const place = request.cursor === null ? null : parsePlace(request.cursor);
    if (request.cursor !== null && place === null) return null;
    const { where, values } = conditions(request.marketplaceId, [
      ['t.user_id = ?', request.userId],
      ['t.currency = ?', request.currency],
      [HAS_ACCOUNT, request.currency && reserved(request.userId, request.currency).id],
      ['(t.remaining > 0) = ?', request.active],
    ]);
    values.push(request.limit + 1);
    const next = values.length;
    const before = place ? ` and (t.opened_at, t.id) < ($${next + 1}::timestamptz, $${next + 2})` : '';
    const { rows } = await pool.query<Reservation>(
      `select ${selected(RESERVATIONS)} from reservations t where ${where}${before}
       order by t.opened_at desc, t.id desc limit $${next}`,
      [...values, ...(place ?? [])],
    );
    const page = rows.slice(0, request.limit);
    const last = page.at(-1);
    return {
      rows: page,
      nextCursor: rows.length > request.limit && last ? formatPlace([last.openedAt, last.id]) : null,
    };
  },
});

export type ReservationReads = ReturnType<typeof createReservationReads>;
