// Every read of a marketplace finds its rows by an index: the plans of all statements that the GET routes send, with each filter of the
// contract, in a marketplace that is large enough for the planner to tell a scan from a lookup.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDER_SEARCH } from '@holdfast/contract/api/orders.ts';
import type pg from 'pg';
import { openPool } from '../../server/src/postgres/connection.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { observeFilled } from '../../tools/large/observe.ts';
import { type Read, readsOf } from '../../tools/large/requests.ts';
import { readSamples } from '../../tools/large/samples.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { MASTER_KEY, startApp } from '../support/app.ts';
import { overheard, type Sent } from '../support/tenancy-wire.ts';

const SIZES = { users: 4_000, orders: 30_000, postings: 300_000 };
/** A table with more rows must not be scanned. */
const SMALL_TABLE = 1_000;
/** Rows that one part of a plan may read in vain: the events near a posting of an order. */
const REMOVED_MAX = 2_000;
/** A search compares the titles of so many orders, however many there are. */
const SEARCH = { part: /strpos\(lower\(s\.title\)/, removedMax: ORDER_SEARCH.newest };

/** No index has the moves of postings: a rare move is searched in all postings of a user. */
const MOVES_OF_USER = { path: /userId=.*action=(BALANCE|RESERV)/, removedMax: 10_000 };

/** The fee report reads sums: not the postings of the accounts of fees, of which every settled order has some. */
const FEES = { path: '/reports/fees', postingsMax: 10 };

type Node = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
};

const nodesIn = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];

const removedBy = (node: Node): number =>
  ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) * node['Actual Loops'];

const postingsReadBy = (plan: Node): number =>
  nodesIn(plan)
    .filter((node) => node['Relation Name'] === 'postings')
    .reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'] + removedBy(node), 0);

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const IS_READ = /^\s*(select|with)\b(?![\s\S]*\b(insert into|update|delete from)\b)/i;
const IS_SETTING = /\bset local /i;

/** A snapshot begins with its settings in one text. */
const settingsIn = ({ text }: Sent): string[] => text.split(';').filter((part) => IS_SETTING.test(part));

type Limits = { readonly large: ReadonlySet<string>; readonly removedMax: number; readonly postingsMax: number };

const removedMaxOf = (path: string, { text }: Sent): number => {
  if (SEARCH.part.test(text)) return SEARCH.removedMax;
  return MOVES_OF_USER.path.test(path) ? MOVES_OF_USER.removedMax : REMOVED_MAX;
};

/** What is wrong with the plan; null when nothing is. */
const faultOf = (plan: Node, { large, removedMax, postingsMax }: Limits): string | null => {
  if (postingsReadBy(plan) > postingsMax) return `${postingsReadBy(plan)} postings read`;
  for (const node of nodesIn(plan)) {
    const table = node['Relation Name'] ?? '';
    if (node['Node Type'] === 'Seq Scan' && large.has(table)) return `a sequential scan of ${table}`;
    if (removedBy(node) > removedMax) return `${removedBy(node)} rows of ${table} read in vain`;
  }
  return null;
};

/** The settings of a read that sets its own, then the plan of the statement as it was carried out. */
const explain = async (
  client: pg.PoolClient,
  { settings, sent }: { settings: readonly string[]; sent: Sent },
): Promise<Node> => {
  await client.query('begin');
  for (const text of settings) await client.query(text);
  const { rows } = await client.query(`explain (analyze, timing off, format json) ${sent.text}`, [...sent.values]);
  await client.query('rollback');
  return rows[0]['QUERY PLAN'][0].Plan;
};

test('no read of a large marketplace scans a large table', { timeout: 300_000 }, async (t) => {
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  await fillMarketplace(connection, { sizes: SIZES, say() {} });
  await observeFilled(connection);
  let heard: Sent[] = [];
  let isAsking = false;
  /** The statements of jobs: the closing of the filled months runs beside the requests for minutes. */
  const ofJobs = new Set<string>();
  const hear = (sent: Sent): void => {
    if (isAsking) heard.push(sent);
    else ofJobs.add(sent.text);
  };
  const app = await startApp(t, { connection: overheard(connection, hear) });
  // The server's own kind of connection, so that the plans are those of the server.
  const pool = openPool(connection, { max: 1, onError() {} });
  const reads = readsOf(await readSamples(pool));
  const client = await pool.connect();
  afterwards(t, async () => {
    client.release();
    await pool.end();
  });
  const { rows } = await client.query<{ name: string }>(
    'select relname as name from pg_class where relkind = $1 and reltuples > $2',
    ['r', SMALL_TABLE],
  );
  const large = new Set(rows.map(({ name }) => name));

  const own = await app.key(['read', 'support']);
  /** The statements of one request. Jobs run beside it, so only those count that it sends each time. */
  const statementsOf = async ({ path, isMasters }: Read): Promise<Sent[]> => {
    const ask = async (): Promise<Sent[]> => {
      heard = [];
      isAsking = true;
      const answer = await app.call(`GET ${path}`, { key: isMasters ? MASTER_KEY : own });
      isAsking = false;
      assert.equal(answer.status, 200, `GET ${path}: ${answer.text}`);
      return heard;
    };
    const first = new Set((await ask()).map(({ text }) => text));
    return (await ask()).filter(({ text }) => first.has(text));
  };

  const faults: { readonly text: string; readonly fault: string }[] = [];
  const seen = new Set<string>();
  for (const read of reads) {
    const sent = await statementsOf(read);
    const settings = sent.flatMap(settingsIn);
    for (const one of sent.filter(({ text }) => IS_READ.test(text))) {
      const id = JSON.stringify(one);
      if (seen.has(id)) continue;
      seen.add(id);
      const removedMax = removedMaxOf(read.path, one);
      const postingsMax = read.path.startsWith(FEES.path) ? FEES.postingsMax : Number.POSITIVE_INFINITY;
      const fault = faultOf(await explain(client, { settings, sent: one }), { large, removedMax, postingsMax });
      const { text } = one;
      if (fault !== null) faults.push({ text, fault: `GET ${read.path}: ${fault}: ${oneLine(text).slice(0, 300)}` });
    }
  }
  assert.ok(reads.length > 500 && seen.size > 300, `only ${reads.length} reads and ${seen.size} statements`);
  assert.ok(large.has('orders') && large.has('postings') && large.has('audit_entries'));
  assert.deepEqual(
    faults.filter(({ text }) => !ofJobs.has(text)).map(({ fault }) => fault),
    [],
  );
});
