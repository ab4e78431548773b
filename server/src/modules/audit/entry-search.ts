// The statements that find audit entries by their filters. A page is found by a key or an index and costs the same in a long chain as in
// a short one. Only the moves of balances have no index by their kind: a range of time bounds what is read for them.

import { AUDIT_ACTIONS, AUDIT_RESOURCES } from '@holdfast/contract/audit.ts';
import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { notedUntil, STRETCH } from './action-stretches.ts';
import { isUnindexed, MOVES_OF } from './unindexed-actions.ts';

export type AuditFilter = {
  readonly resourceType?: string;
  readonly resourceId?: string;
  readonly action?: string;
  readonly userId?: string;
  readonly from?: string;
  readonly to?: string;
};

/** The entries between two numbers, without both. */
type Between = { readonly after: bigint; readonly before: bigint };

type AuditSearch = AuditFilter & {
  readonly columns: string;
  readonly marketplaceId: string;
  readonly limit: number;
  readonly between: Between;
};

type Statement = { readonly text: string; readonly values: unknown[] };

/**
 * Times grow with the numbers of the entries, except where the clocks of two servers differ. A range is exact while they differ by less than
 * this. It is shorter than the bound of ids: every range reads the entries of this time in vain, and a day of them would be too many.
 */
export const CLOCKS_DIFFER_MS = 3_600_000;
const CLOCKS_DIFFER = `interval '1 hour'`;

/**
 * The number of the last entry before a time, found by halving: the chain has no gaps, and it needs no index of times. After a gap that
 * was made by hand the next entry is taken.
 */
const entriesBefore = (time: string): string => `with recursive search (low, high) as (
    select 0::bigint, coalesce((select m.audit_seq from marketplaces m where m.marketplace_id = $1), 0)
    union all
    select case when e.occurred_at < ${time} then m.middle else s.low end,
      case when e.occurred_at < ${time} then s.high else m.middle - 1 end
    from search s, lateral (select (s.low + s.high + 1) / 2 as middle) m,
      lateral (select a.occurred_at from audit_entries a where a.marketplace_id = $1 and a.seq >= m.middle
        order by a.seq limit 1) e
    where s.low < s.high
  )
  select s.low as seq from search s where s.low = s.high`;

const SURELY_BEFORE = entriesBefore(`$2::timestamptz - ${CLOCKS_DIFFER}`);
const PERHAPS_BEFORE = entriesBefore(`$2::timestamptz + ${CLOCKS_DIFFER}`);

/** Narrows the numbers to those that can have a time of the range. The times themselves are compared as well. */
const narrowByTime = async (
  client: pg.PoolClient,
  { marketplaceId, between, from, to }: AuditSearch,
): Promise<Between> => {
  const find = async (text: string, time: string | undefined): Promise<bigint | undefined> => {
    if (time === undefined) return undefined;
    return (await client.query<{ seq: bigint }>(text, [marketplaceId, time])).rows[0]?.seq;
  };
  const after = (await find(SURELY_BEFORE, from)) ?? between.after;
  const last = (await find(PERHAPS_BEFORE, to)) ?? between.before - 1n;
  return {
    after: after > between.after ? after : between.after,
    before: last < between.before ? last + 1n : between.before,
  };
};

const LAST = 'select audit_seq as seq from marketplaces where marketplace_id = $1';

/** The entries that can have a time of the range: those after the first number, up to the last one. Archived entries are not counted. */
export const entriesInTime = async (
  client: Pick<pg.Pool, 'query'>,
  { marketplaceId, from, to }: { marketplaceId: string; from: string | null; to: string },
): Promise<{ after: bigint; last: bigint }> => {
  const find = async (text: string, values: unknown[]): Promise<bigint | undefined> =>
    (await client.query<{ seq: bigint }>(text, values)).rows[0]?.seq;
  const after = from === null ? undefined : await find(SURELY_BEFORE, [marketplaceId, from]);
  const last = (await find(PERHAPS_BEFORE, [marketplaceId, to])) ?? (await find(LAST, [marketplaceId]));
  return { after: after ?? 0n, last: last ?? 0n };
};

const BEGINNING = '-infinity';
const END = 'infinity';

/** What audit_of_resource and audit_of_kind leave out: moves of balances are most of all entries, and each index made them slower. */
const isIndexed = (entry: string): string =>
  `(${entry}.resource_type <> 'Balance' or ${entry}.action = 'BALANCE_SYNCED')`;

/** Reads the chain from its newest entry, or from the end of the range, until the page is full. */
const inChain = ({ columns, marketplaceId, limit, between, ...filter }: AuditSearch): Statement => ({
  text: `select ${columns} from audit_entries t where t.marketplace_id = $1 and t.seq > $2 and t.seq < $3
      and ($4::text is null or t.resource_type = $4) and ($5::text is null or t.action = $5)
      and t.occurred_at >= $6::timestamptz and t.occurred_at < $7::timestamptz
    order by t.seq desc limit ${limit + 1}`,
  values: [
    marketplaceId,
    between.after,
    between.before,
    filter.resourceType ?? null,
    filter.action ?? null,
    filter.from ?? BEGINNING,
    filter.to ?? END,
  ],
});

/**
 * The newest entries of each kind, by the index of kinds. Only that index has the order that the inner part asks for, so the planner
 * cannot choose the order of the chain and read all of it for a kind that is rare. The type is an equation, because before PostgreSQL 18
 * an index is read on until the first column of a comparison of rows differs: it would read all entries of the type for each action.
 */
const ofKinds = ({ columns, marketplaceId, limit, between, ...filter }: AuditSearch): Statement => ({
  text: `select ${columns} from unnest($4::text[]) r (type) cross join unnest($5::text[]) a (action)
    cross join lateral (
      select t.* from audit_entries t where t.marketplace_id = $1 and ${isIndexed('t')}
        and t.resource_type = r.type and (t.action, t.seq) > (a.action, $2::bigint) and (t.action, t.seq) < (a.action, $3::bigint)
        and t.occurred_at >= $6::timestamptz and t.occurred_at < $7::timestamptz
      order by t.action desc, t.seq desc limit ${limit + 1}
    ) t
    order by t.seq desc limit ${limit + 1}`,
  values: [
    marketplaceId,
    between.after,
    between.before,
    filter.resourceType === undefined ? AUDIT_RESOURCES : [filter.resourceType],
    filter.action === undefined ? AUDIT_ACTIONS : [filter.action],
    filter.from ?? BEGINNING,
    filter.to ?? END,
  ],
});

/**
 * What the other filters ask of an entry; null asks nothing. An equation with `is not false` uses no index. Otherwise the planner would read all
 * entries of a kind to find those of one user.
 */
const matches = (entry: string): string => `(${entry}.resource_type = $5) is not false
    and (${entry}.resource_id = $6) is not false and (${entry}.action = $7) is not false
    and ($8::text is null or $8 in (${entry}.resource_id, ${entry}.user_id))
    and ${entry}.occurred_at >= $9::timestamptz and ${entry}.occurred_at < $10::timestamptz`;

/** The newest numbers of the entries with this id in this column, by the index of the column, for the same reason. */
const numbersBy = (column: 'resource_id' | 'user_id', { where, limit }: { where: string; limit: number }): string => `(
    select e.seq from audit_entries e where e.marketplace_id = $1 and ${where} and ${matches('e')}
      and (e.${column}, e.seq) > ($4::text, $2::bigint) and (e.${column}, e.seq) < ($4::text, $3::bigint)
    order by e.${column} desc, e.seq desc limit ${limit})`;

/**
 * The number of the last posting on the account `k` whose entry is before this one, found by halving like `entriesBefore`: the numbers of the
 * entries grow along an account, and no index has them.
 */
const postingsBefore = (entry: string): string => `(with recursive search (low, high) as (
      select 0::bigint, coalesce((select q.seq from postings q where q.marketplace_id = $1 and q.account_id = k.id
        order by q.seq desc limit 1), 0)
      union all
      select case when p.audit_seq < ${entry} then m.middle else s.low end,
        case when p.audit_seq < ${entry} then s.high else m.middle - 1 end
      from search s, lateral (select (s.low + s.high + 1) / 2 as middle) m,
        lateral (select q.audit_seq from postings q where q.marketplace_id = $1 and q.account_id = k.id and q.seq >= m.middle
          order by q.seq limit 1) p
      where s.low < s.high
    )
    select s.low as seq from search s where s.low = s.high)`;

/** Postings of one account that may share an entry. */
const POSTINGS_PER_ENTRY = 4;

/**
 * The newest numbers of the entries that have a posting on one of the user's accounts. Entries that have another resource, such as those of
 * top-ups, are in an index and must not consume the limit.
 */
const numbersByPosting = (limit: number): string => {
  const parts = CURRENCIES.flatMap((currency) => [`$4 || ':available:${currency}'`, `$4 || ':reserved:${currency}'`]);
  return `(
    select p.audit_seq from unnest(array[${parts.join(', ')}]) k (id)
      cross join lateral ${postingsBefore('$2::bigint + 1')} b cross join lateral ${postingsBefore('$3::bigint')} l
      cross join lateral (
        select p.audit_seq from postings p cross join lateral (select from audit_entries e
          where e.marketplace_id = $1 and e.seq = p.audit_seq and e.resource_id = $4::text and ${matches('e')} offset 0) e
        where p.marketplace_id = $1 and p.account_id = k.id and p.seq > b.seq and p.seq <= l.seq
          and ($11::text[] is null or p.move = any($11))
        order by p.seq desc limit ${limit * POSTINGS_PER_ENTRY}) p)`;
};

/** Where entries about a user or a resource can be: in the indexes, or behind the postings of the user's accounts, or in both. */
const placesOf = ({ resourceType, resourceId, action, userId }: AuditFilter) => {
  const isMove = isUnindexed(action);
  // The entry of a move has the user as its resource, and no other user.
  const mayBeMove = (resourceType ?? 'Balance') === 'Balance' && (userId ?? resourceId) === (resourceId ?? userId);
  return { indexes: !isMove || !mayBeMove, postings: mayBeMove && (action === undefined || isMove) };
};

/**
 * The entries about a user or a resource. Each place gives the newest numbers that a page needs, so a place with a million entries costs
 * the same as one with a hundred, unless few of its entries match the other filters. Each entry is then read by its key.
 */
const about = ({ columns, marketplaceId, limit, between, ...filter }: AuditSearch, id: string): Statement => {
  const { resourceType, resourceId, action, userId, from, to } = filter;
  const places = placesOf(filter);
  const most = limit + 1;
  const numbers = [
    ...(places.indexes ? [numbersBy('resource_id', { where: isIndexed('e'), limit: most })] : []),
    // An entry of the user about another resource.
    ...(places.indexes && resourceId === undefined
      ? [numbersBy('user_id', { where: 'e.user_id is not null', limit: most })]
      : []),
    ...(places.postings ? [numbersByPosting(most)] : []),
  ];
  return {
    text: `select ${columns} from (select f.seq from (${numbers.join(' union ')}) f (seq) order by f.seq desc limit ${most}) s
      cross join lateral (select t.* from audit_entries t where t.marketplace_id = $1 and t.seq = s.seq offset 0) t
      order by s.seq desc`,
    values: [
      ...[marketplaceId, between.after, between.before, id],
      ...[resourceType, resourceId, action, userId].map((part) => part ?? null),
      from ?? BEGINNING,
      to ?? END,
      ...(places.postings ? [isUnindexed(action) ? MOVES_OF[action] : null] : []),
    ],
  };
};

const NEWEST_STRETCHES = `select s.stretch from audit_stretches s
  where s.marketplace_id = $1 and s.action = $2 and s.stretch >= $3 and s.stretch <= $4 order by s.stretch desc limit $5`;

/** Reads the stretches that are noted for the action, the newest first, until the page is full. */
const inStretches = async <Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  search: AuditSearch,
): Promise<Row[]> => {
  const { marketplaceId, action, limit, between } = search;
  const rows: Row[] = [];
  for (let before = between.before; rows.length <= limit && before > between.after + 1n; ) {
    const wanted = limit + 1 - rows.length;
    const range = [between.after / BigInt(STRETCH), (before - 1n) / BigInt(STRETCH)];
    const noted = await client.query<{ stretch: bigint }>(NEWEST_STRETCHES, [marketplaceId, action, ...range, wanted]);
    for (const { stretch } of noted.rows) {
      const first = stretch * BigInt(STRETCH);
      const part = {
        after: first - 1n > between.after ? first - 1n : between.after,
        before: first + BigInt(STRETCH) < before ? first + BigInt(STRETCH) : before,
      };
      const { text, values } = inChain({ ...search, limit: limit - rows.length, between: part });
      rows.push(...(await client.query<Row>(text, values)).rows);
      before = first;
      if (rows.length > limit) break;
    }
    // No older stretch has the action.
    if (noted.rows.length < wanted) break;
  }
  return rows;
};

/** Balance moves of one action: those that are not noted yet from the chain, the others from their stretches. */
const movesOf = async <Row extends pg.QueryResultRow>(client: pg.PoolClient, search: AuditSearch): Promise<Row[]> => {
  const { marketplaceId, between, limit } = search;
  const noted = await notedUntil(client, marketplaceId);
  const since = { after: noted > between.after ? noted : between.after, before: between.before };
  const { text, values } = inChain({ ...search, between: since });
  const newest = since.after < since.before ? (await client.query<Row>(text, values)).rows : [];
  if (newest.length > limit) return newest;
  const until = { after: between.after, before: noted + 1n < between.before ? noted + 1n : between.before };
  return [...newest, ...(await inStretches<Row>(client, { ...search, limit: limit - newest.length, between: until }))];
};

type Form = 'about' | 'chain' | 'moves' | 'kinds';

const formOf = ({ resourceType, resourceId, action, userId }: AuditSearch): Form => {
  if (resourceId !== undefined || userId !== undefined) return 'about';
  if (resourceType !== undefined && resourceType !== 'Balance') return 'kinds';
  if (action === undefined) return 'chain';
  return isUnindexed(action) ? 'moves' : 'kinds';
};

const statementOf = (form: Exclude<Form, 'moves'>, search: AuditSearch): Statement => {
  // Of both, the resource has fewer entries.
  if (form === 'about') return about(search, (search.resourceId ?? search.userId)!);
  return form === 'chain' ? inChain(search) : ofKinds(search);
};

/** Without statistics the planner would rather read and sort all entries of a kind than take them in the order of an index. */
const BY_INDEX = 'set local enable_seqscan = off; set local enable_bitmapscan = off';

/** One entry more than the page has, newest first. The client is in a transaction. */
export const searchEntries = async <Row extends pg.QueryResultRow>(
  client: pg.PoolClient,
  search: AuditSearch,
): Promise<Row[]> => {
  await client.query(BY_INDEX);
  const narrowed = { ...search, between: await narrowByTime(client, search) };
  const form = formOf(narrowed);
  if (form === 'moves') return movesOf<Row>(client, narrowed);
  const { text, values } = statementOf(form, narrowed);
  return (await client.query<Row>(text, values)).rows;
};
