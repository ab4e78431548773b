// Reads of all marketplaces while a machine of a distributed database does not answer: they are read from the machines that answer, so that
// the jobs of all other marketplaces go on. On one PostgreSQL, and while every machine answers, a statement is sent as it was written.

import type pg from 'pg';
import { isNodeLoss } from './database-errors.ts';
import { isPoolDistributed } from './distributed.ts';

type Read = { readonly text: string; readonly values?: readonly unknown[]; readonly name?: string };

const NODES = `select groupid as node, nodename as host, nodeport as port from pg_dist_node
  where isactive and noderole = 'primary'`;

/** Over a new connection. A silent machine costs `citus.node_connection_timeout`. */
const CHECK = 'select citus_check_connection_to_node($1, $2) as answers';

type Node = { readonly node: number; readonly host: string; readonly port: number };

/** The marketplaces of some machines, read from each of their shards. A machine that was lost since is left out. */
const MARKETPLACES = `select r.result as ids from (
    select array_agg(n.nodename) as hosts, array_agg(n.nodeport) as ports,
      array_agg(format('select json_agg(marketplace_id) from %s', shard_name(s.logicalrelid, s.shardid))) as texts
    from pg_dist_shard s join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
    where s.logicalrelid = 'marketplaces'::regclass and p.groupid = any($1)
  ) c, master_run_on_worker(c.hosts, c.ports, c.texts, true) r where r.success and r.result <> ''`;

const TABLES = 'select logicalrelid::text as name from pg_dist_partition';

/** Null: every machine answers. */
type Answering = { readonly marketplaceIds: readonly string[]; readonly tables: readonly string[] } | null;

/** While a machine is lost, whether it is back is asked at most so often. */
const VALID_MS = 2_000;

type Known = { readonly askedAt: number; readonly answering: Promise<Answering> };

/** Only of pools that know of a lost machine. */
const lost = new WeakMap<pg.Pool, Known>();

/** The coordinator has answered already. */
const checkNode = async (pool: pg.Pool, { node, host, port }: Node): Promise<boolean> => {
  if (node === 0) return true;
  const checked = await pool.query<{ answers: boolean }>(CHECK, [host, port]).catch(() => null);
  return checked?.rows[0]?.answers ?? false;
};

const askNodes = async (pool: pg.Pool): Promise<Answering> => {
  const { rows: nodes } = await pool.query<Node>(NODES);
  const answers = await Promise.all(nodes.map((node) => checkNode(pool, node)));
  if (answers.every((each) => each)) return null;
  const left = nodes.filter((_, at) => answers[at]).map(({ node }) => node);
  const { rows: lists } = await pool.query<{ ids: string }>(MARKETPLACES, [left]);
  const { rows: tables } = await pool.query<{ name: string }>(TABLES);
  return {
    marketplaceIds: lists.flatMap(({ ids }) => JSON.parse(ids) as string[]),
    tables: tables.map(({ name }) => name),
  };
};

const findAnswering = async (pool: pg.Pool): Promise<Answering> => {
  const known = lost.get(pool);
  if (known && performance.now() - known.askedAt < VALID_MS) return known.answering;
  const answering = askNodes(pool);
  lost.set(pool, { askedAt: performance.now(), answering });
  const found = await answering.catch((error: unknown) => {
    lost.delete(pool);
    throw error;
  });
  if (found === null) lost.delete(pool);
  return found;
};

/** A machine is known not to answer: the next read asks which ones do, instead of waiting for it. */
export const expectLoss = (pool: pg.Pool): void => {
  if (!lost.has(pool)) lost.set(pool, { askedAt: Number.NEGATIVE_INFINITY, answering: Promise.resolve(null) });
};

/**
 * The statement for some marketplaces: each table that it reads is replaced by the rows of these marketplaces. The distributed database
 * then asks only the machines that have them.
 */
const narrowed = ({ text, values = [] }: Read, { marketplaceIds, tables }: NonNullable<Answering>): pg.QueryConfig => {
  const parameter = values.length + 1;
  const read = tables.filter((table) => new RegExp(`\\b(?:from|join)\\s+${table}\\b`).test(text));
  const parts = read.map(
    (table) => `${table} as (select * from public.${table} where marketplace_id = any($${parameter}))`,
  );
  const rest = /^\s*with\s/.test(text) ? text.replace(/^\s*with\s/, ', ') : ` ${text}`;
  return { text: `with ${parts.join(', ')}${rest}`, values: [...values, marketplaceIds] };
};

/** A statement that a silent machine keeps waiting ends by its time limit. */
const mayBeLoss = (error: unknown): boolean => isNodeLoss(error) || (error as { code?: unknown }).code === '57014';

type Found<Row> = {
  readonly rows: Row[];
  /** Those of a machine that does not answer are missing. */
  readonly isPartial: boolean;
};

const readAll = async <Row extends pg.QueryResultRow>(pool: pg.Pool, { values = [], ...of }: Read): Promise<Row[]> =>
  (await pool.query<Row>({ ...of, values: [...values] })).rows;

const read = async <Row extends pg.QueryResultRow>(pool: pg.Pool, of: Read): Promise<Found<Row>> => {
  let loss: unknown = null;
  if (!lost.has(pool)) {
    try {
      return { rows: await readAll<Row>(pool, of), isPartial: false };
    } catch (error) {
      if (!mayBeLoss(error) || !(await isPoolDistributed(pool))) throw error;
      loss = error;
    }
  }
  const answering = await findAnswering(pool);
  if (answering !== null) return { rows: (await pool.query<Row>(narrowed(of, answering))).rows, isPartial: true };
  // Every machine answers again, or the statement had another reason to end by its time limit.
  if (loss !== null && !isNodeLoss(loss)) throw loss;
  return { rows: await readAll<Row>(pool, of), isPartial: false };
};

/** Whether reads of all marketplaces leave out those of a machine that does not answer. On one PostgreSQL never. */
export const isLossKnown = (pool: pg.Pool): boolean => lost.has(pool);

/** Rows of all marketplaces, for a job that can do without those of a machine that does not answer. */
export const readAcross = async <Row extends pg.QueryResultRow>(pool: pg.Pool, of: Read): Promise<Row[]> =>
  (await read<Row>(pool, of)).rows;

/** Rows that are in one marketplace only. Fails when they are not found, and could be on a machine that does not answer. */
export const findAcross = async <Row extends pg.QueryResultRow>(pool: pg.Pool, of: Read): Promise<Row[]> => {
  const { rows, isPartial } = await read<Row>(pool, of);
  return rows.length === 0 && isPartial ? readAll<Row>(pool, of) : rows;
};

/** For a read that needs every marketplace: `instead` when a machine does not answer. */
export const unlessLost =
  <Result, Instead>(ask: () => Promise<Result>, instead: Instead): (() => Promise<Result | Instead>) =>
  async () => {
    try {
      return await ask();
    } catch (error) {
      if (!isNodeLoss(error)) throw error;
      return instead;
    }
  };
