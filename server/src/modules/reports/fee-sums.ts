// Maintained sums of the fee report: for each account of fees, the fees of each day from its postings up to a number. A report adds the
// postings since. Postings are numbered without a gap, so this is exact also when clocks differ. See docs/decisions/0030-fee-sums.md.

import type pg from 'pg';
import type { Account } from '../../books/accounts.ts';
import { inSnapshot, PATIENT } from '../../postgres/connection.ts';
import { addUpPostings, FEE_ACCOUNTS, type FeeDay, type FeeRange, feeDayOf, numbersIn } from './fee-postings.ts';

/** Where an account of fees is: the number of its last posting, of its last archived one, and of the last one in the sums. */
export type Place = {
  readonly account: Account;
  readonly last: bigint;
  readonly archived: bigint;
  /** Null: there are no sums. */
  readonly mark: bigint | null;
};

const PLACES = `select a.id, a.postings as last, coalesce(b.postings, 0) as archived, m.seq as mark from accounts a
  left join archived_accounts b on b.marketplace_id = a.marketplace_id and b.account_id = a.id
  left join fee_marks m on m.marketplace_id = a.marketplace_id and m.account_id = a.id
  where a.marketplace_id = $1 and a.id = any($2)`;

/** Of the accounts that have postings. */
export const readPlaces = async (client: pg.PoolClient, marketplaceId: string): Promise<Place[]> => {
  const values = [marketplaceId, [...FEE_ACCOUNTS.keys()]];
  const { rows } = await client.query<Omit<Place, 'account'> & { id: string }>(PLACES, values);
  return rows.map(({ id, ...place }) => ({ ...place, account: FEE_ACCOUNTS.get(id)! }));
};

const STORED = `select s.day::text as day, s.earned, s.reversed, s.network, s.provider from fee_sums s
  where s.marketplace_id = $1 and s.account_id = $2 and s.day >= $3 and s.day < $4 order by s.day`;

/** Also of an infinite time. */
const dateOf = (time: string): string => time.slice(0, 10);

/** The range begins and ends at midnight. */
export const readStored = async (
  client: pg.PoolClient,
  { account, marketplaceId, from, to }: FeeRange & { readonly account: Account },
): Promise<FeeDay[]> => {
  const { rows } = await client.query(STORED, [marketplaceId, account.id, dateOf(from), dateOf(to)]);
  return rows.map((row) => feeDayOf(account, row));
};

/**
 * The fees of each day of the range, from the sums and the postings since. No posting of the range may be archived: sums need not have the
 * archived ones. The client is in a snapshot.
 */
export const readFeeDays = async (client: pg.PoolClient, range: FeeRange): Promise<FeeDay[]> => {
  const days: FeeDay[] = [];
  for (const { account, mark, last } of await readPlaces(client, range.marketplaceId)) {
    if (mark !== null) days.push(...(await readStored(client, { ...range, account })));
    const since = mark === null ? await numbersIn(client, { ...range, account }) : { account, after: mark, last };
    if (since.after < since.last) days.push(...(await addUpPostings(client, { ...range, ...since })));
  }
  return days;
};

// Sums that are left from before do not belong to the new mark. A process that has begun in the meantime has made the mark.
const BEGIN = `with mark as (
    insert into fee_marks (marketplace_id, account_id, seq) values ($1, $2, 0)
    on conflict (marketplace_id, account_id) do nothing returning 1
  )
  delete from fee_sums s where s.marketplace_id = $1 and s.account_id = $2 and exists (select from mark)`;

// A process that has kept the sums in the meantime has moved the mark: then nothing is added.
const ADD = `with mark as (
    update fee_marks m set seq = $3 where m.marketplace_id = $1 and m.account_id = $2 and m.seq = $4 returning 1
  )
  insert into fee_sums as s (marketplace_id, account_id, day, earned, reversed, network, provider)
  select $1, $2, r.day, r.earned, r.reversed, r.network, r.provider
  from json_to_recordset($5) r (day date, earned text, reversed text, network text, provider text)
  where exists (select from mark)
  on conflict (marketplace_id, account_id, day) do update set
    earned = (s.earned::numeric + excluded.earned::numeric)::text,
    reversed = (s.reversed::numeric + excluded.reversed::numeric)::text,
    network = (s.network::numeric + excluded.network::numeric)::text,
    provider = (s.provider::numeric + excluded.provider::numeric)::text`;

/** Postings that one statement adds up, so that none takes long after an update. */
const KEEP_BATCH = 200_000n;

const later = (one: bigint, other: bigint): bigint => (one > other ? one : other);
const earlier = (one: bigint, other: bigint): bigint => (one < other ? one : other);

type Chunk = { readonly account: Account; readonly mark: bigint; readonly end: bigint; readonly days: FeeDay[] };

type Keeping = { readonly marketplaceId: string; readonly batch: bigint };

const readChunk = async (
  client: pg.PoolClient,
  { account, mark, last, archived, marketplaceId, batch }: Place & { readonly mark: bigint } & Keeping,
): Promise<Chunk> => {
  // Archived postings that the sums lack are of archived time, for which a report does not read the sums.
  const after = later(mark, archived);
  const end = earlier(last, after + batch);
  const range = { marketplaceId, from: '-infinity', to: 'infinity' };
  const days = await addUpPostings(client, { ...range, account, after, last: end });
  const found = days.reduce((sum, { postings }) => sum + postings, 0n);
  if (found !== end - after)
    throw new Error(`${account.id} has ${found} postings after ${after} up to ${end}: some are missing.`);
  return { account, mark, end, days };
};

const textsOf = ({ date, earned, reversed, network, provider }: FeeDay) => ({
  day: date,
  earned: `${earned}`,
  reversed: `${reversed}`,
  network: `${network}`,
  provider: `${provider}`,
});

/** Brings the sums of one account up to date, a chunk of its postings at a time, unless another process does. */
const keepAccount = async (pool: pg.Pool, { id, marketplaceId, batch }: Keeping & { id: string }): Promise<void> => {
  for (;;) {
    const chunk = await inSnapshot(pool, async (client) => {
      await client.query(PATIENT);
      const place = (await readPlaces(client, marketplaceId)).find(({ account }) => account.id === id);
      if (!place || place.mark === null || place.mark >= place.last) return null;
      return readChunk(client, { ...place, mark: place.mark, marketplaceId, batch });
    });
    if (chunk === null) return;
    const values = [marketplaceId, id, chunk.end, chunk.mark, JSON.stringify(chunk.days.map(textsOf))];
    if ((await pool.query(ADD, values)).rowCount === 0) return;
  }
};

/** Brings the sums of one marketplace up to date. */
export const keepFeeSums = async (
  pool: pg.Pool,
  { marketplaceId, batch = KEEP_BATCH }: { readonly marketplaceId: string; readonly batch?: bigint },
): Promise<void> => {
  const places = await inSnapshot(pool, (client) => readPlaces(client, marketplaceId));
  for (const { account, mark, last } of places) {
    if (mark === null) await pool.query(BEGIN, [marketplaceId, account.id]);
    if (mark === null || mark < last) await keepAccount(pool, { id: account.id, marketplaceId, batch });
  }
};
