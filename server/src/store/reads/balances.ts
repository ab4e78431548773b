// Reads of balances, straight from the accounts.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { available, reserved } from '../../domain/account.ts';
import type { Balance } from '../../domain/balance.ts';
import { fromUnits, ZERO } from '../../domain/money.ts';

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

/** What an account holds, added up from its postings. */
const DERIVED = `select coalesce(sum(amount), 0)::text as sum from postings
  where marketplace_id = $1 and account_id = any($2)`;

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

  /** Available and reserved together, re-derived from every posting. */
  async derive({ marketplaceId, userId, currency }: Ask) {
    const accounts = [available(userId, currency).id, reserved(userId, currency).id];
    const { rows } = await pool.query<{ sum: string }>(DERIVED, [marketplaceId, accounts]);
    return fromUnits(BigInt(rows[0]?.sum ?? 0));
  },
});

export type BalanceReads = ReturnType<typeof createBalanceReads>;
