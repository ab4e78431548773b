// Reads a statement of one balance from its postings, in one snapshot: the first and last posting of the range in both accounts, the
// balances there, and the lines between. Therefore the lines always add up. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { available, reserved } from '../../books/accounts.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { inSnapshot } from '../../postgres/connection.ts';

type StatementPart = 'available' | 'reserved';

export type StatementLine = {
  readonly part: StatementPart;
  readonly seq: bigint;
  readonly amount: Amount;
  readonly balanceAfter: Amount;
  readonly counterAccountId: string;
  readonly move: string;
  readonly reference: string | null;
  readonly description: string | null;
  readonly postedAt: string;
};

/** How many postings of each part have been shown, counted from the first posting of the account. */
export type StatementPlace = Readonly<Record<StatementPart, bigint>>;

export type StatementRequest = {
  readonly marketplaceId: string;
  readonly userId: string;
  readonly currency: Currency;
  readonly from: string;
  readonly to: string;
  readonly after: StatementPlace;
  readonly limit: number;
};

type Balances = Readonly<Record<StatementPart, Amount>>;

export type StatementPage = {
  readonly opening: Balances;
  readonly closing: Balances;
  readonly lines: readonly StatementLine[];
  /** Null: there are no more lines in the range. */
  readonly next: StatementPlace | null;
};

const EXISTS = 'select 1 from users where marketplace_id = $1 and id = $2';

/**
 * The number of an account's postings before a time. Postings are numbered without a gap and their times grow with the numbers, so a
 * binary search finds the number in a few steps. If a clock was set back, the search finds one of the postings next to the time, and
 * the statement still adds up.
 */
export const POSTINGS_BEFORE = `with recursive search (low, high) as (
    select 0::bigint, coalesce((select a.postings from accounts a where a.marketplace_id = $1 and a.id = $2), 0)
    union all
    select case when p.posted_at < $3 then m.middle else s.low end,
      case when p.posted_at < $3 then s.high else m.middle - 1 end
    from search s, lateral (select (s.low + s.high + 1) / 2 as middle) m, postings p
    where s.low < s.high and p.marketplace_id = $1 and p.account_id = $2 and p.seq = m.middle
  )
  select s.low as seq, coalesce((select p.balance_after from postings p
    where p.marketplace_id = $1 and p.account_id = $2 and p.seq = s.low), 0)::bigint as balance
  from search s where s.low = s.high`;

// The numbers of audit entries order the postings of both accounts. Within one account they only grow.
const LINES = `select p.* from (values ('available', $2::text, $3::bigint, $4::bigint), ('reserved', $5, $6, $7))
    a (part, id, low, high), lateral (
    select a.part, p.seq, p.audit_seq, p.amount, p.balance_after as "balanceAfter",
      p.counter_account_id as "counterAccountId", p.move, p.reference, p.description, p.posted_at as "postedAt"
    from postings p where p.marketplace_id = $1 and p.account_id = a.id and p.seq > a.low and p.seq <= a.high
    order by p.seq limit $8
  ) p order by p.audit_seq, p.part, p.seq limit $8`;

type Bound = { readonly seq: bigint; readonly balance: bigint };

const latest = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const placeAfter = (lines: readonly StatementLine[], before: StatementPlace): StatementPlace => {
  const lastOf = (part: StatementPart): bigint => lines.findLast((line) => line.part === part)?.seq ?? before[part];
  return { available: lastOf('available'), reserved: lastOf('reserved') };
};

export const createStatementReads = (pool: pg.Pool) => {
  const read = async (client: pg.PoolClient, request: StatementRequest): Promise<StatementPage | null> => {
    const { marketplaceId, userId, currency, after, limit } = request;
    const { rowCount } = await client.query(EXISTS, [marketplaceId, userId]);
    if (rowCount !== 1) return null;

    const boundOf = async (id: string, time: string): Promise<Bound> =>
      (await client.query<Bound>(POSTINGS_BEFORE, [marketplaceId, id, time])).rows[0]!;
    const rangeOf = async (part: StatementPart) => {
      const { id } = (part === 'available' ? available : reserved)(userId, currency);
      const opening = await boundOf(id, request.from);
      const end = await boundOf(id, request.to);
      const closing = end.seq < opening.seq ? opening : end;
      return { id, low: latest(opening.seq, after[part]), opening, closing };
    };
    const free = await rangeOf('available');
    const held = await rangeOf('reserved');
    const { rows } = await client.query<StatementLine>(LINES, [
      marketplaceId,
      free.id,
      free.low,
      free.closing.seq,
      held.id,
      held.low,
      held.closing.seq,
      limit + 1,
    ]);
    const lines = rows.slice(0, limit);
    return {
      opening: { available: fromUnits(free.opening.balance), reserved: fromUnits(held.opening.balance) },
      closing: { available: fromUnits(free.closing.balance), reserved: fromUnits(held.closing.balance) },
      lines,
      next: rows.length > limit ? placeAfter(lines, { available: free.low, reserved: held.low }) : null,
    };
  };

  return {
    /** Null when there is no such user. */
    read: (request: StatementRequest): Promise<StatementPage | null> =>
      inSnapshot(pool, (client) => read(client, request)),
  };
};

export type StatementReads = ReturnType<typeof createStatementReads>;
