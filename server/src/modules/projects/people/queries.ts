// Reads of people, their balances and the changes of their balances. The password hash is read only for the login.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { ORDER_STATUSES } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { available } from '../../../books/accounts.ts';
import { type Amount, fromUnits, plus, ZERO } from '../../../books/money.ts';
import { selected } from '../../../commit/tables.ts';
import { PEOPLE, type Person } from './person.ts';

export type Holdings = {
  readonly currency: Currency;
  readonly available: Amount;
  /** Reserved, or in the escrow of an order that the person buys. */
  readonly held: Amount;
};

type PersonPlace = { readonly marketplaceId: string; readonly userId: string };

/** One change of an available balance. */
export type Change = {
  readonly accountId: string;
  readonly seq: bigint;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly move: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly postedAt: string;
};

type ChangesRequest = PersonPlace & {
  /** Undefined: all currencies. */
  readonly currency: Currency | undefined;
  readonly offset: number;
  readonly limit: number;
};

/** The currencies in the order of Surface B. */
const SHOWN = ['USD', 'XLM', 'USDC'] as const satisfies readonly Currency[];

const FIND = `select ${selected(PEOPLE)} from people t where t.marketplace_id = $1 and t.email_key = $2`;

/** A list, because the index of a buyer's orders by status finds the orders of each state, and no index finds all but one state. */
const OPEN_STATUSES = ORDER_STATUSES.filter((status) => status !== 'CLOSED')
  .map((status) => `'${status}'`)
  .join(', ');

/** Money in escrow counts for the buyer until the order is settled. */
const HOLDINGS = `select a.currency, a.part, sum(a.balance)::bigint as units from (
    select currency, split_part(id, ':', 2) as part, balance from accounts
    where marketplace_id = $1 and user_id = $2
    union all
    select e.currency, 'escrow', e.balance from orders o
    join accounts e on e.marketplace_id = o.marketplace_id and e.id = o.id || ':escrow:' || o.currency
    where o.marketplace_id = $1 and o.buyer_id = $2 and o.status in (${OPEN_STATUSES})
  ) a group by a.currency, a.part`;

// Archived postings are not listed, so they are not counted.
const COUNT = `select (coalesce(sum(a.postings), 0) - coalesce((select sum(b.postings) from archived_accounts b
    where b.marketplace_id = $1 and b.account_id = any($2)), 0))::text as total
  from accounts a where a.marketplace_id = $1 and a.id = any($2)`;

/**
 * The number of the audit entry orders the postings of all accounts of a marketplace, and it only grows along one account. So the newest
 * postings of each account, merged, are the newest of all accounts.
 */
const CHANGES = `select p.account_id as "accountId", p.seq, p.amount, a.currency, p.move, p.reference, p.description,
    p.posted_at as "postedAt"
  from accounts a, lateral (
    select * from postings p where p.marketplace_id = $1 and p.account_id = a.id
    order by p.seq desc limit $3::bigint + $4::bigint
  ) p
  where a.marketplace_id = $1 and a.id = any($2)
  order by p.audit_seq desc, p.account_id, p.seq desc offset $3 limit $4`;

const accountsOf = ({ userId, currency }: Pick<ChangesRequest, 'userId' | 'currency'>): string[] =>
  (currency ? [currency] : CURRENCIES).map((each) => available(userId, each).id);

type PartRow = { currency: Currency; part: string; units: bigint };

const holdingsIn = (rows: readonly PartRow[], currency: Currency): Holdings => {
  const part = (name: string): Amount => {
    const row = rows.find((each) => each.currency === currency && each.part === name);
    return row ? fromUnits(row.units) : ZERO;
  };
  return { currency, available: part('available'), held: plus(part('reserved'), part('escrow')) };
};

export const createPeopleReads = (pool: pg.Pool) => ({
  async findByEmail(marketplaceId: string, emailKey: string): Promise<Person | null> {
    const { rows } = await pool.query<Person>({ name: 'find-person', text: FIND, values: [marketplaceId, emailKey] });
    return rows[0] ?? null;
  },

  /** Returns every currency, also those that the person never had. */
  async holdings({ marketplaceId, userId }: PersonPlace): Promise<Holdings[]> {
    const values = [marketplaceId, userId];
    const { rows } = await pool.query<PartRow>({ name: 'person-holdings', text: HOLDINGS, values });
    return SHOWN.map((currency) => holdingsIn(rows, currency));
  },

  async changes(request: ChangesRequest): Promise<{ rows: Change[]; total: number }> {
    const { marketplaceId, offset, limit } = request;
    const accounts = accountsOf(request);
    const counted = await pool.query<{ total: string }>({ text: COUNT, values: [marketplaceId, accounts] });
    const total = Number(counted.rows[0]?.total ?? 0);
    if (offset >= total) return { rows: [], total };
    const { rows } = await pool.query<Change>({ text: CHANGES, values: [marketplaceId, accounts, offset, limit] });
    return { rows, total };
  },
});

export type PeopleReads = ReturnType<typeof createPeopleReads>;
