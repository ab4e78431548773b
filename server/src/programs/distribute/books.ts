// The books of every marketplace before and after the distribution: the sums of a full proof and the end of the audit chain. Those before are
// kept in a table of the coordinator until the comparison has held, because an interrupted run is continued by another process.

import type pg from 'pg';
import { fewAtOnce } from '../../base/concurrency.ts';
import { proveBooks } from '../../books/proof.ts';
import type { Proof } from '../../books/proof-checks.ts';
import { verifyChain } from '../../modules/audit/verify-chain.ts';

/** Marketplaces that are proved at the same time. The pool needs as many connections. */
export const AT_ONCE = 4;

/** Without a column `marketplace_id`, so that it is not distributed. */
const NOTE = 'books_before_distribution';
const CREATE_NOTE = `create table if not exists ${NOTE} (marketplace text primary key, books text not null)`;
const HAS_NOTE = `select to_regclass('public.${NOTE}') is not null as "isThere"`;
const HEADS = `select marketplace_id as id, audit_seq::text as entries, audit_hash as hash from marketplaces
  order by marketplace_id`;

/** An open break says that the outside systems differ from the books. It does not make the books wrong. */
const NOT_OF_THE_BOOKS = 'no-open-breaks';

type Head = { readonly id: string; readonly entries: string; readonly hash: string };

export type Comparison = {
  readonly marketplaces: number;
  /** Those with books from before to compare with. */
  readonly compared: number;
  /** One sentence for each marketplace whose books do not hold or are not the same. */
  readonly problems: readonly string[];
};

const readHeads = async (pool: pg.Pool): Promise<Head[]> => (await pool.query<Head>(HEADS)).rows;

/** As text, in the same form before and after. */
const describe = ({ currencies, checks }: Proof, { entries, hash }: Omit<Head, 'id'>): string => {
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  return JSON.stringify({ entries, hash, currencies, checks: checks.map(({ name, holds }) => [name, holds]) }, asText);
};

/** Adds up every posting and recomputes every hash of a marketplace. */
const prove = async (pool: pg.Pool, head: Head): Promise<{ books: string; problem: string | null }> => {
  const proof = await proveBooks(pool, head.id);
  const chain = await verifyChain(pool, { marketplaceId: head.id });
  const failed = proof.checks.filter(({ name, holds }) => !holds && name !== NOT_OF_THE_BOOKS);
  const sentences = failed.map(({ name, detail }) => `${name}: ${detail}`);
  if (!chain.holds) sentences.push(`the audit chain is broken at entry ${chain.brokenAt}.`);
  return {
    books: describe(proof, { entries: head.entries, hash: chain.lastHash }),
    problem: sentences.length === 0 ? null : `${head.id}: ${sentences.join(' ')}`,
  };
};

/** Whether books from before wait for their comparison. */
export const hasNote = async (client: Pick<pg.Pool | pg.Client, 'query'>): Promise<boolean> =>
  (await client.query<{ isThere: boolean }>(HAS_NOTE)).rows[0]!.isThere;

type Work = { readonly pool: pg.Pool; readonly client: pg.ClientBase; onProgress(done: number, of: number): void };

/** Proves the books before the first table is distributed, and keeps what was found. Returns the problems. */
export const noteBooks = async ({ pool, client, onProgress }: Work): Promise<string[]> => {
  await client.query(`drop table if exists ${NOTE}`);
  await client.query(CREATE_NOTE);
  const heads = await readHeads(pool);
  const proved: { readonly id: string; readonly books: string; readonly problem: string | null }[] = [];
  await fewAtOnce(heads, {
    atOnce: AT_ONCE,
    async work(head) {
      proved.push({ id: head.id, ...(await prove(pool, head)) });
      onProgress(proved.length, heads.length);
    },
  });
  const problems = proved.map(({ problem }) => problem).filter((problem) => problem !== null);
  if (problems.length > 0) await client.query(`drop table ${NOTE}`);
  // One client runs one statement at a time, so the proofs above do not use it.
  else
    await client.query(`insert into ${NOTE} select * from unnest($1::text[], $2::text[])`, [
      proved.map(({ id }) => id),
      proved.map(({ books }) => books),
    ]);
  return problems;
};

/** After an interrupted run a server may have written: such a marketplace has nothing to be compared with. Returns how many there are. */
export const forgetWritten = async ({ pool, client }: Omit<Work, 'onProgress'>): Promise<number> => {
  if (!(await hasNote(pool))) return (await readHeads(pool)).length;
  const { rows } = await client.query<{ id: string; books: string }>(`select marketplace as id, books from ${NOTE}`);
  const noted = new Map(rows.map(({ id, books }) => [id, JSON.parse(books) as { entries: string; hash: string }]));
  const written = (await readHeads(pool)).filter(
    ({ id, entries, hash }) => noted.get(id)?.entries !== entries || noted.get(id)?.hash !== hash,
  );
  const ids = written.map(({ id }) => id);
  await client.query(`delete from ${NOTE} where marketplace = any($1)`, [ids]);
  return ids.length;
};

/** Proves the books again, and compares them with those before. Without a problem the kept ones are dropped. */
export const compareBooks = async ({ pool, client, onProgress }: Work): Promise<Comparison> => {
  await client.query(CREATE_NOTE);
  const heads = await readHeads(pool);
  const problems: string[] = [];
  let compared = 0;
  let done = 0;
  await fewAtOnce(heads, {
    atOnce: AT_ONCE,
    async work(head) {
      const { books, problem } = await prove(pool, head);
      const kept = await pool.query<{ books: string }>(`select books from ${NOTE} where marketplace = $1`, [head.id]);
      const before = kept.rows[0]?.books;
      if (before !== undefined) compared++;
      if (problem !== null) problems.push(problem);
      else if (before !== undefined && before !== books)
        problems.push(`${head.id}: before ${before}, afterwards ${books}`);
      onProgress(++done, heads.length);
    },
  });
  if (problems.length === 0) await client.query(`drop table ${NOTE}`);
  return { marketplaces: heads.length, compared, problems };
};
