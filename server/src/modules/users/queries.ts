// Reads of users, each with the balance in the base currency.

import { USER_SEARCH } from '@holdfast/contract/api/users.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { byIds } from '../../postgres/by-keys.ts';
import {
  beginsWith,
  beginsWithInAnyCase,
  byIndex,
  byPair,
  conditions,
  createdBetween,
  type PageOf,
  type PageRequest,
  readPage,
} from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { type BalanceColumns, balanceJoin, balanceOfRow } from '../balances/queries.ts';
import { USERS, type User, type UserReply } from './user.ts';

type UserFilter = {
  readonly q?: string;
  readonly status?: string;
  readonly type?: string;
  readonly externalUserId?: string;
  readonly email?: string;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

type Row = User & BalanceColumns;

const select = (currency: Currency, from = 'users t'): string =>
  `select ${selected(USERS)}, ${balanceJoin(currency).columns} from ${from} ${balanceJoin(currency).joins}`;

const withBalance = (row: Row, currency: Currency): UserReply => ({
  user: row,
  balance: balanceOfRow(row, { userId: row.id, currency, createdAt: row.createdAt }),
});

/** The ids that a search finds: each part by an index and up to a bound. As an array the ids are looked up one by one. */
const FOUND = `t.id = any(array(
    select s.id from users s where s.marketplace_id = $1 and s.id = ?
    union all (select s.id from users s where s.marketplace_id = $1
      and ${beginsWith('s.external_user_id')} order by s.external_user_id using ~<~ limit ${USER_SEARCH.prefixed})
    union all (select s.id from users s where s.marketplace_id = $1 and s.email is not null
      and ${beginsWithInAnyCase('s.email')} order by lower(s.email) using ~<~ limit ${USER_SEARCH.prefixed})
    union all (select s.id from users s where s.marketplace_id = $1 and s.name is not null
      and ${beginsWithInAnyCase('s.name')} order by lower(s.name) using ~<~ limit ${USER_SEARCH.prefixed})))`;

/** The index has the e-mails in small letters. */
const OF_EMAIL = '(t.email = ? and lower(t.email) = lower(?::text))';

const ofTypeAndStatus = ({ type, status }: UserFilter) =>
  type !== undefined && status !== undefined
    ? [byPair(['t.type', type], ['t.status', status])]
    : [byIndex('t.status', status), byIndex('t.type', type)];

const userPages = (pool: pg.Pool, currency: Currency) => ({
  async list(request: PageRequest & UserFilter): Promise<PageOf<UserReply>> {
    const filtered = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ...ofTypeAndStatus(request),
      ['t.external_user_id = ?', request.externalUserId],
      [OF_EMAIL, request.email],
      ...createdBetween('user', request),
      [FOUND, request.q],
    ]);
    const page = await readPage<Row>(pool, { select: select(currency), ...filtered, limit: request.limit });
    return { rows: page.rows.map((row) => withBalance(row, currency)), nextCursor: page.nextCursor };
  },
});

export const createUserReads = (pool: pg.Pool, currency: Currency) => {
  const read = shareReads<Row>(pool, { text: select(currency, byIds('users')) });
  return {
    ...userPages(pool, currency),

    async find(marketplaceId: string, id: string): Promise<UserReply | null> {
      const row = await read(marketplaceId, id);
      return row && withBalance(row, currency);
    },
  };
};

export type UserReads = ReturnType<typeof createUserReads>;
