// Reads of balances, straight from the accounts.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import type { Balance } from '../../books/accounts.ts';
import { fromUnits, ZERO } from '../../books/money.ts';

export type BalanceColumns = {
  available: bigint | null;
  reserved: bigint | null;
  availableAt: string | null;
  reservedAt: string | null;
};

/** Joins a user row `t` with its two accounts of a currency. */
export const balanceJoin = (currency: Currency) => ({
  columns: `a.balance as available, r.balance as reserved, a.touched_at as "availableAt", r.touched_at as "reservedAt"`,
  joins: `left join accounts a on a.marketplace_id = t.marketplace_id and a.id = t.id || ':available:${currency}'
    left join accounts r on r.marketplace_id = t.marketplace_id and r.id = t.id || ':reserved:${currency}'`,
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

type Ask = { readonly marketplaceId: string; readonly userId: string; readonly currency: Currency };

export const createBalanceReads = (pool: pg.Pool) => ({
  async find({ marketplaceId, userId, currency }: Ask): Promise<Balance | null> {
    const { columns, joins } = balanceJoin(currency);
    const { rows } = await pool.query<BalanceColumns & { createdAt: string }>({
      name: `find-balance-${currency}`,
      text: `select t.created_at as "createdAt", ${columns} from users t ${joins}
        where t.marketplace_id = $1 and t.id = $2`,
      values: [marketplaceId, userId],
    });
    const row = rows[0];
    return row ? balanceOfRow(row, { userId, currency, createdAt: row.createdAt }) : null;
  },
});

export type BalanceReads = ReturnType<typeof createBalanceReads>;
