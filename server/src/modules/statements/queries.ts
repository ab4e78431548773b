// Reads a statement of one balance from its postings, in one snapshot: the first and last posting of the range in both accounts, the
// balances there, and the lines between. Therefore the lines always add up. Archived postings come from the files. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { available, reserved } from '../../books/accounts.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import type { ArchivedLine, ArchivedPostings, ArchivedRange, Bound } from '../archives/account-postings.ts';
import { nameSql } from '../users/user.ts';

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
  /** The name of the user on documents. */
  readonly ownerName: string;
  /** Lines of the whole range. */
  readonly count: bigint;
  readonly opening: Balances;
  readonly closing: Balances;
  readonly lines: readonly StatementLine[];
  /** Null: there are no more lines in the range. */
  readonly next: StatementPlace | null;
};

const OWNER = `select ${nameSql('u')} as name from users u where u.marketplace_id = $1 and u.id = $2`;

/**
 * The number of an account's postings before a time. Postings are numbered without a gap and their times grow with the numbers, so a
 * binary search finds the number in a few steps. If a clock was set back, the search finds one of the postings next to the time, and
 * the statement still adds up. Archived postings are not searched: before the first hot posting, the end of the archived ones is found.
 */
export const POSTINGS_BEFORE = `with recursive search (low, high) as (
    select coalesce((select b.postings from archived_accounts b where b.marketplace_id = $1 and b.account_id = $2), 0),
      coalesce((select a.postings from accounts a where a.marketplace_id = $1 and a.id = $2), 0)
    union all
    select case when p.posted_at < $3 then m.middle else s.low end,
      case when p.posted_at < $3 then s.high else m.middle - 1 end
    from search s, lateral (select (s.low + s.high + 1) / 2 as middle) m, postings p
    where s.low < s.high and p.marketplace_id = $1 and p.account_id = $2 and p.seq = m.middle
  )
  select s.low as seq, coalesce((select p.balance_after from postings p
    where p.marketplace_id = $1 and p.account_id = $2 and p.seq = s.low), (select b.balance from archived_accounts b
    where b.marketplace_id = $1 and b.account_id = $2 and b.postings = s.low), 0)::bigint as balance
  from search s where s.low = s.high`;

// The numbers of audit entries order the postings of both accounts. Within one account they only grow.
const LINES = `select p.* from (values ('available', $2::text, $3::bigint, $4::bigint), ('reserved', $5, $6, $7))
    a (part, id, low, high), lateral (
    select a.part, p.seq, p.audit_seq, p.amount, p.balance_after as "balanceAfter",
      p.counter_account_id as "counterAccountId", p.move, p.reference, p.description, p.posted_at as "postedAt"
    from postings p where p.marketplace_id = $1 and p.account_id = a.id and p.seq > a.low and p.seq <= a.high
    order by p.seq limit $8
  ) p order by p.audit_seq, p.part, p.seq limit $8`;

const ARCHIVED = 'select postings from archived_accounts where marketplace_id = $1 and account_id = $2';

/** A line with the number that orders the lines of both accounts. */
type OrderedLine = StatementLine & { readonly audit_seq: bigint };

const NOT_ARCHIVED: ArchivedRange = { opening: null, closing: null, postings: [] };

const lineOf = (part: StatementPart, row: ArchivedLine): OrderedLine => ({
  part,
  seq: row.seq,
  audit_seq: row.audit_seq,
  amount: fromUnits(row.amount),
  balanceAfter: fromUnits(row.balance_after),
  counterAccountId: row.counter_account_id,
  move: row.move,
  reference: row.reference,
  description: row.description,
  postedAt: row.posted_at,
});

const byPlace = (one: OrderedLine, other: OrderedLine): number => {
  if (one.audit_seq !== other.audit_seq) return one.audit_seq < other.audit_seq ? -1 : 1;
  if (one.part !== other.part) return one.part < other.part ? -1 : 1;
  return one.seq < other.seq ? -1 : 1;
};

const latest = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const placeAfter = (lines: readonly StatementLine[], before: StatementPlace): StatementPlace => {
  const lastOf = (part: StatementPart): bigint => lines.findLast((line) => line.part === part)?.seq ?? before[part];
  return { available: lastOf('available'), reserved: lastOf('reserved') };
};

type Reading = { readonly client: pg.PoolClient; readonly archived: ArchivedPostings };

/** The range of one account, and its archived lines. The hot lines are those after `low`. */
const readRange = async ({ client, archived }: Reading, of: { request: StatementRequest; part: StatementPart }) => {
  const { marketplaceId, userId, currency, from, to, after, limit } = of.request;
  const { id } = (of.part === 'available' ? available : reserved)(userId, currency);
  const boundOf = async (time: string): Promise<Bound> =>
    (await client.query<Bound>(POSTINGS_BEFORE, [marketplaceId, id, time])).rows[0]!;
  const { rows } = await client.query<{ postings: bigint }>(ARCHIVED, [marketplaceId, id]);
  const base = rows[0]?.postings ?? 0n;
  const start = await boundOf(from);
  const end = await boundOf(to);
  const asked = { marketplaceId, accountId: id, from, to, after: after[of.part], limit: limit + 1 };
  // Only a range that begins at the end of the archived postings can begin before it.
  const files = base > 0n && start.seq === base ? await archived.read(asked) : NOT_ARCHIVED;
  const opening = files.opening ?? start;
  const hotClosing = end.seq === base ? (files.closing ?? end) : end;
  return {
    id,
    opening,
    closing: hotClosing.seq < opening.seq ? opening : hotClosing,
    low: latest(latest(opening.seq, base), after[of.part]),
    lines: files.postings.filter(({ seq }) => seq <= base).map((row) => lineOf(of.part, row)),
    shown: latest(opening.seq, after[of.part]),
  };
};

export const createStatementReads = (pool: pg.Pool, archived: ArchivedPostings) => {
  const read = async (client: pg.PoolClient, request: StatementRequest): Promise<StatementPage | null> => {
    const { marketplaceId, userId, limit } = request;
    const { rows: owners } = await client.query<{ name: string }>(OWNER, [marketplaceId, userId]);
    if (owners.length !== 1) return null;

    const free = await readRange({ client, archived }, { request, part: 'available' });
    const held = await readRange({ client, archived }, { request, part: 'reserved' });
    const { rows: hot } = await client.query<OrderedLine>(LINES, [
      marketplaceId,
      free.id,
      free.low,
      free.closing.seq,
      held.id,
      held.low,
      held.closing.seq,
      limit + 1,
    ]);
    const rows = [...free.lines, ...held.lines, ...hot].toSorted(byPlace);
    const lines = rows.slice(0, limit);
    return {
      ownerName: owners[0]!.name,
      count: free.closing.seq - free.opening.seq + (held.closing.seq - held.opening.seq),
      opening: { available: fromUnits(free.opening.balance), reserved: fromUnits(held.opening.balance) },
      closing: { available: fromUnits(free.closing.balance), reserved: fromUnits(held.closing.balance) },
      lines,
      next: rows.length > limit ? placeAfter(lines, { available: free.shown, reserved: held.shown }) : null,
    };
  };

  return {
    /** Null when there is no such user. */
    read: (request: StatementRequest): Promise<StatementPage | null> =>
      inSnapshot(pool, (client) => read(client, request)),
  };
};

export type StatementReads = ReturnType<typeof createStatementReads>;
