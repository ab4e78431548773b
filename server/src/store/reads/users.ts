// Reads of users, each with the balance in the base currency.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import type { Balance } from '../../domain/balance.ts';
import type { User } from '../../domain/user.ts';
import { selected } from '../table-sql.ts';
import { type BalanceColumns, balanceJoin, balanceOfRow } from './balances.ts';
import { conditions, type PageAsk, type PageOf, readPage } from './page.ts';

export type UserWithBalance = { user: User; balance: Balance };

export type UserFilter = {
  readonly status?: string;
  readonly type?: string;
  readonly externalUserId?: string;
  readonly email?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

type Row = User & BalanceColumns;

const select = (currency: Currency): string => `select ${selected('users')}, ${balanceJoin(currency).columns}
  from users t ${balanceJoin(currency).joins}`;

const withBalance = (row: Row, currency: Currency): UserWithBalance => ({
  user: row,
  balance: balanceOfRow(row, { userId: row.id, currency, createdAt: row.createdAt }),
});

export const createUserReads = (pool: pg.Pool, currency: Currency) => ({
  async find(marketplaceId: string, id: string): Promise<UserWithBalance | null> {
    const { rows } = await pool.query<Row>(`${select(currency)} where t.marketplace_id = $1 and t.id = $2`, [
      marketplaceId,
      id,
    ]);
    return rows[0] ? withBalance(rows[0], currency) : null;
  },

  async list(ask: PageAsk & UserFilter): Promise<PageOf<UserWithBalance>> {
    const { where, values } = conditions(ask.marketplaceId, [
      ['t.id < ?', ask.cursor],
      ['t.status = ?', ask.status],
      ['t.type = ?', ask.type],
      ['t.external_user_id = ?', ask.externalUserId],
      ['t.email = ?', ask.email],
      ['t.created_at > ?', ask.createdAfter],
      ['t.created_at < ?', ask.createdBefore],
    ]);
    const page = await readPage<Row>(pool, { select: select(currency), where, values, limit: ask.limit });
    return { rows: page.rows.map((row) => withBalance(row, currency)), nextCursor: page.nextCursor };
  },
});

export type UserReads = ReturnType<typeof createUserReads>;
