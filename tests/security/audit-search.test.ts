// GET /audit/logs reads few entries whatever its filters are: a page of a long trail costs as much as a page of a short one. Statistics
// may be missing, or be those of another marketplace.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AUDIT_ACTIONS } from '@holdfast/contract/audit.ts';
import type pg from 'pg';
import { checkStretches, noteStretches, STRETCH } from '../../server/src/modules/audit/action-stretches.ts';
import { searchEntries } from '../../server/src/modules/audit/entry-search.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { UNINDEXED_ACTIONS } from '../../server/src/modules/audit/unindexed-actions.ts';
import { inSnapshot, openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { disableTriggers, enableTriggers } from '../support/triggers.ts';
import { sourcesOf } from '../tidy/sources.ts';

const MARKETPLACE = 'mkt_long';
const ENTRIES = 30_000;
const PAGE = 20;
/** Sixteen pages. The limit of a page applies to each of the 15 kinds of resource. */
const READ_MAX = 16 * (PAGE + 1);
/** The entries of one hour: the time by which the clocks of two servers may differ. */
const HOUR = 60;

type Filter = Omit<Parameters<ReturnType<typeof createAuditReads>['list']>[0], 'marketplaceId' | 'limit' | 'cursor'>;

const timeOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();

/** One entry a minute: the first hundred create users, then only credits, and one debit in the middle. */
const FILL = `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, actor_type, actor_id,
    result, correlation_id, hash)
  select $1, n, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute',
    case when n <= 100 then 'USER_CREATED' when n = 15000 then 'BALANCE_DEBITED' else 'BALANCE_CREDITED' end,
    case when n <= 100 then 'User' else 'Balance' end, 'usr_' || n % 500, 'api_key', 'key_1', 'SUCCESS', 'req_1', ''
  from generate_series(1, $2::bigint) n`;

/** A marketplace in which everything is what the other marketplace seldom has: it misleads the statistics. */
const MISLEAD = `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, actor_type, actor_id,
    result, correlation_id, hash)
  select 'mkt_other', n, now(), case when n % 2 = 0 then 'USER_CREATED' else 'BALANCE_DEBITED' end,
    case when n % 2 = 0 then 'User' else 'Balance' end, 'usr_1', 'api_key', 'key_1', 'SUCCESS', 'req_1', ''
  from generate_series(1, $1::bigint) n`;

const openTrail = async (t: TestContext): Promise<pg.Pool> => {
  const database = await createDatabase();
  // One connection, so that the counters have every statement when they are read.
  const pool = openPool(database.connection, { max: 1, onError: () => {} });
  afterwards(t, async () => {
    await pool.end();
    await database.drop();
  });
  await pool.query('alter table audit_entries set (autovacuum_enabled = off)');
  return pool;
};

const fill = async (pool: pg.Pool): Promise<void> => {
  await pool.query(FILL, [MARKETPLACE, ENTRIES]);
  await pool.query(MISLEAD, [ENTRIES * 2]);
  await pool.query('insert into marketplaces (marketplace_id, audit_seq, audit_hash) values ($1, $2, $3)', [
    MARKETPLACE,
    ENTRIES,
    '',
  ]);
};

const READ = `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as count from pg_stat_user_tables where relname = any($1)`;

/** The rows of these tables that the connection has read so far. */
const readSoFar = async (pool: pg.Pool, tables = ['audit_entries']): Promise<number> => {
  await pool.query('select pg_stat_force_next_flush()');
  return Number((await pool.query<{ count: bigint }>(READ, [tables])).rows[0]!.count);
};

/** The entries that were found, and how many the database read for them. */
const find = async (pool: pg.Pool, filter: Filter) => {
  const before = await readSoFar(pool);
  const page = await createAuditReads(pool).list({ ...filter, marketplaceId: MARKETPLACE, limit: PAGE, cursor: null });
  return { numbers: page!.rows.map(({ seq }) => Number(seq)), read: (await readSoFar(pool)) - before };
};

const down = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from - i);

const CASES: readonly { readonly filter: Filter; readonly numbers: readonly number[]; readonly isWhole?: true }[] = [
  { filter: {}, numbers: down(ENTRIES, PAGE) },
  { filter: { action: 'BALANCE_CREDITED' }, numbers: down(ENTRIES, PAGE) },
  // No index has the kinds of balance moves (decision 5): without a range and before the job has run, the whole chain may be read.
  { filter: { action: 'BALANCE_DEBITED' }, numbers: [15_000], isWhole: true },
  { filter: { action: 'USER_CREATED' }, numbers: down(100, PAGE) },
  { filter: { action: 'USER_SUSPENDED' }, numbers: [] },
  { filter: { resourceType: 'User' }, numbers: down(100, PAGE) },
  { filter: { resourceType: 'ApiKey' }, numbers: [] },
  { filter: { resourceType: 'User', action: 'USER_CREATED' }, numbers: down(100, PAGE) },
  { filter: { resourceType: 'User', action: 'BALANCE_DEBITED' }, numbers: [] },
  { filter: { resourceId: 'usr_7', resourceType: 'User' }, numbers: [7] },
  { filter: { userId: 'usr_7' }, numbers: [7] },
  { filter: { userId: 'usr_7', from: timeOf(7), to: timeOf(8) }, numbers: [7] },
  { filter: { to: timeOf(5_000) }, numbers: down(4_999, PAGE) },
  { filter: { from: timeOf(1_000), to: timeOf(1_010) }, numbers: down(1_009, 10) },
  { filter: { from: timeOf(ENTRIES + HOUR * 2) }, numbers: [] },
  { filter: { to: timeOf(-HOUR * 2) }, numbers: [] },
  { filter: { resourceType: 'Balance', action: 'BALANCE_CREDITED' }, numbers: down(ENTRIES, PAGE) },
  { filter: { action: 'BALANCE_DEBITED', from: timeOf(14_900), to: timeOf(15_000) }, numbers: [] },
  { filter: { action: 'BALANCE_DEBITED', from: timeOf(15_000), to: timeOf(15_001) }, numbers: [15_000] },
  { filter: { action: 'BALANCE_CREDITED', to: timeOf(20_000) }, numbers: down(19_999, PAGE) },
  { filter: { resourceType: 'User', from: timeOf(50), to: timeOf(60) }, numbers: down(59, 10) },
];

const check = async (pool: pg.Pool): Promise<void> => {
  for (const { filter, numbers, isWhole } of CASES) {
    const found = await find(pool, filter);
    const name = JSON.stringify(filter);
    assert.deepEqual(found.numbers, numbers, name);
    if (!isWhole) assert.ok(found.read <= READ_MAX, `${name} read ${found.read} entries`);
  }
};

test('a filter of the audit trail reads few entries, without statistics and with misleading ones', async (t) => {
  const pool = await openTrail(t);
  await fill(pool);
  await check(pool);
  await pool.query('analyze audit_entries');
  await check(pool);
});

test('statistics of an empty trail do not mislead either', async (t) => {
  const pool = await openTrail(t);
  await pool.query('analyze audit_entries');
  await fill(pool);
  await check(pool);
});

/** Orders that were created, and nothing else: most actions that orders have come after this one in the index of kinds, or before it. */
const ORDERS = `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, actor_type, actor_id,
    result, correlation_id, hash)
  select $1, n, now(), 'ORDER_RELEASED', 'Order', 'ord_' || n, 'api_key', 'key_1', 'SUCCESS', 'req_1', ''
  from generate_series(1, $2::bigint) n`;

/** A block of the index has about a hundred entries. An action that no entry has needs the blocks on the ways down to its two ends. */
const BLOCKS_PER_ACTION = 10;

const blocksIn = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/Buffers: shared (?:hit=(\d+))?(?: ?read=(\d+))?/g)].map(
      ([, hit = 0, read = 0]) => Number(hit) + Number(read),
    ),
  );

/** The blocks that the last statement of a search reads. On a cluster the plan has those of the machine with the entries. */
const blocksOf = async (pool: pg.Pool, filter: Filter): Promise<number> =>
  inSnapshot(pool, async (client) => {
    let plan = '';
    const explaining = {
      query: async (text: string, values?: unknown[]) => {
        const isSearch = text.startsWith('select');
        if (isSearch) {
          const { rows } = await client.query(`explain (analyze, buffers) ${text}`, values);
          plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        }
        return client.query(text, values);
      },
    } as pg.PoolClient;
    const search = { ...filter, columns: 't.seq', marketplaceId: MARKETPLACE, limit: PAGE };
    await searchEntries(explaining, { ...search, between: { after: 0n, before: BigInt(ENTRIES + 1) } });
    return blocksIn(plan);
  });

test('a search for a type of resource does not read the entries of one action once for each other action', async (t) => {
  const pool = await openTrail(t);
  await pool.query(ORDERS, [MARKETPLACE, ENTRIES]);
  for (const state of ['without statistics', 'with statistics']) {
    const blocks = await blocksOf(pool, { resourceType: 'Order' });
    assert.ok(blocks <= AUDIT_ACTIONS.length * BLOCKS_PER_ACTION, `${blocks} blocks ${state}`);
    await pool.query('analyze audit_entries');
  }
});

/** The trigger of the audit trail refuses every update. */
const tamper = async (pool: pg.Pool, statement: string): Promise<void> => {
  await pool.query(disableTriggers('audit_entries'));
  await pool.query(statement);
  await pool.query(enableTriggers('audit_entries'));
};

/** Debits in a few entries. The newest one is in an entry that the job has not noted yet. */
const debits = async (pool: pg.Pool): Promise<void> => {
  await tamper(
    pool,
    `update audit_entries set action = 'BALANCE_DEBITED' where marketplace_id = '${MARKETPLACE}' and seq in (500, 501, 9000, 20000)`,
  );
  await noteStretches(pool, MARKETPLACE);
  await pool.query(
    `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, actor_type, actor_id, result,
       correlation_id, hash) values ($1, $2, $3, 'BALANCE_DEBITED', 'Balance', 'usr_1', 'api_key', 'key_1', 'SUCCESS', 'req_1', '')`,
    [MARKETPLACE, ENTRIES + 1, timeOf(ENTRIES + 1)],
  );
};

test('balance moves of a rare action are found by the stretches that the job has noted', async (t) => {
  const pool = await openTrail(t);
  await fill(pool);
  await debits(pool);
  const all = [ENTRIES + 1, 20_000, 15_000, 9_000, 501, 500];
  const found = await find(pool, { action: 'BALANCE_DEBITED' });
  assert.deepEqual(found.numbers, all);
  assert.ok(found.read <= READ_MAX + all.length * STRETCH, `read ${found.read} entries`);
  const range = { action: 'BALANCE_DEBITED', from: timeOf(501), to: timeOf(15_000) };
  assert.deepEqual((await find(pool, range)).numbers, [9_000, 501]);
  const none = await find(pool, { action: 'RESERVED_DEDUCTED' });
  assert.deepEqual([none.numbers, none.read <= READ_MAX], [[], true]);
});

test('the pages of a rare action follow each other through stretches and the entries since', async (t) => {
  const pool = await openTrail(t);
  await fill(pool);
  await debits(pool);
  const numbers: number[] = [];
  let cursor: string | null = null;
  do {
    const asked = { marketplaceId: MARKETPLACE, action: 'BALANCE_DEBITED', limit: 2, cursor };
    const page: Awaited<ReturnType<ReturnType<typeof createAuditReads>['list']>> =
      await createAuditReads(pool).list(asked);
    numbers.push(...page!.rows.map(({ seq }) => Number(seq)));
    cursor = page!.nextCursor;
  } while (cursor !== null);
  assert.deepEqual(numbers, [ENTRIES + 1, 20_000, 15_000, 9_000, 501, 500]);
});

test('the full proof finds a stretch that was not noted', async (t) => {
  const pool = await openTrail(t);
  await fill(pool);
  await noteStretches(pool, MARKETPLACE);
  assert.equal((await checkStretches(pool, MARKETPLACE)).holds, true);
  await tamper(
    pool,
    `update audit_entries set action = 'BALANCE_RELEASED' where marketplace_id = '${MARKETPLACE}' and seq = 77`,
  );
  assert.equal((await checkStretches(pool, MARKETPLACE)).holds, false);
});

test('a range of time is exact when the clocks of the servers differ, and when an entry is missing', async (t) => {
  const pool = await openTrail(t);
  const count = 400;
  // Every third entry is of a server whose clock is 50 minutes late.
  const minuteOf = (n: number): number => n * 2 - (n % 3 === 0 ? 50 : 0);
  await pool.query(FILL, [MARKETPLACE, count]);
  await pool.query(disableTriggers('audit_entries'));
  await pool.query(`update audit_entries set occurred_at = '2026-01-01T00:00:00Z'::timestamptz
    + (seq * 2 - case when seq % 3 = 0 then 50 else 0 end) * interval '1 minute'`);
  await pool.query('delete from audit_entries where seq in (1, 200, 201, 399)');
  await pool.query('insert into marketplaces (marketplace_id, audit_seq, audit_hash) values ($1, $2, $3)', [
    MARKETPLACE,
    count,
    '',
  ]);
  const present = down(count, count).filter((n) => ![1, 200, 201, 399].includes(n));
  for (let start = -100; start < count * 2 + 100; start += 37) {
    for (const length of [1, 40, 200, 2_000]) {
      const filter = { from: timeOf(start), to: timeOf(start + length) };
      const expected = present.filter((n) => minuteOf(n) >= start && minuteOf(n) < start + length).slice(0, PAGE);
      assert.deepEqual((await find(pool, filter)).numbers, expected, JSON.stringify(filter));
    }
  }
});

/** A credit, and after it only top-ups: their postings are on the same account, and their entries are about themselves. */
const TOP_UPS = `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, user_id, actor_type,
    actor_id, result, correlation_id, hash)
  select $1, n, now(), case when n = 1 then 'BALANCE_CREDITED' else 'TOPUP_SUCCEEDED' end,
    case when n = 1 then 'Balance' else 'TopUp' end, case when n = 1 then 'usr_1' else 'top_' || n end,
    case when n > 1 then 'usr_1' end, 'api_key', 'key_1', 'SUCCESS', 'req_1', ''
  from generate_series(1, $2::bigint) n`;

const THEIR_POSTINGS = `insert into postings (marketplace_id, account_id, seq, amount, balance_after, counter_account_id, move, command_id,
    audit_seq, posted_at)
  select $1, 'usr_1:available:USD', n, 1, n, 'payment-float:USD', 'topup', 'cmd_' || n, n, now()
  from generate_series(1, $2::bigint) n`;

test('an entry about a balance is found behind any number of postings whose entries are about something else', async (t) => {
  const pool = await openTrail(t);
  const count = (PAGE + 1) * 4 + 10;
  await pool.query(TOP_UPS, [MARKETPLACE, count]);
  await pool.query(THEIR_POSTINGS, [MARKETPLACE, count]);
  assert.deepEqual((await find(pool, { resourceId: 'usr_1' })).numbers, [1]);
  assert.deepEqual((await find(pool, { userId: 'usr_1' })).numbers, down(count, PAGE));
  assert.deepEqual((await find(pool, { userId: 'usr_1', resourceId: 'usr_1' })).numbers, [1]);
  assert.deepEqual((await find(pool, { userId: 'usr_1', resourceId: 'top_2' })).numbers, [2]);
});

const MOVES = 5_000;
const DEBITED = 1_000;

/** Of one user: money is reserved each minute, and debited once. */
const MOVES_OF_ONE = `insert into audit_entries (marketplace_id, seq, occurred_at, action, resource_type, resource_id, actor_type, actor_id,
    result, correlation_id, hash)
  select $1, n, '2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute',
    case when n = 1 then 'USER_CREATED' when n = ${DEBITED} then 'BALANCE_DEBITED' else 'BALANCE_RESERVED' end,
    case when n = 1 then 'User' else 'Balance' end, 'usr_1', 'api_key', 'key_1', 'SUCCESS', 'req_1', ''
  from generate_series(1, $2::bigint) n`;

const POSTINGS_OF_ONE = `insert into postings (marketplace_id, account_id, seq, amount, balance_after, counter_account_id, move, command_id,
    audit_seq, posted_at)
  select $1, 'usr_1:available:USD', n - 1, -1, ${MOVES} - n, 'usr_1:reserved:USD', case when n = ${DEBITED} then 'debit' else 'reserve' end,
    'cmd_' || n, n, now()
  from generate_series(2, $2::bigint) n`;

const OF_ONE: readonly { readonly filter: Filter; readonly numbers: readonly number[]; readonly entries: number }[] = [
  { filter: { action: 'BALANCE_DEBITED' }, numbers: [DEBITED], entries: 10 },
  { filter: { action: 'BALANCE_RESERVED' }, numbers: down(MOVES, PAGE), entries: 500 },
  { filter: { resourceType: 'Balance' }, numbers: down(MOVES, PAGE), entries: 500 },
  { filter: { action: 'USER_CREATED' }, numbers: [1], entries: 10 },
  { filter: { resourceType: 'ApiKey' }, numbers: [], entries: 10 },
  { filter: { resourceType: 'User', action: 'BALANCE_DEBITED' }, numbers: [], entries: 10 },
  { filter: { resourceId: 'usr_2' }, numbers: [], entries: 10 },
  // The hour around each end of a range is read as well.
  { filter: { from: timeOf(2_000), to: timeOf(2_010) }, numbers: down(2_009, 10), entries: 500 },
  { filter: { to: timeOf(2_000) }, numbers: down(1_999, PAGE), entries: 700 },
  { filter: { from: timeOf(MOVES - 5) }, numbers: down(MOVES, 6), entries: 500 },
];

test('a search for entries of a user reads as much of a long history as it needs', async (t) => {
  const pool = await openTrail(t);
  await pool.query(MOVES_OF_ONE, [MARKETPLACE, MOVES]);
  await pool.query(POSTINGS_OF_ONE, [MARKETPLACE, MOVES]);
  const head = [MARKETPLACE, MOVES, ''];
  await pool.query('insert into marketplaces (marketplace_id, audit_seq, audit_hash) values ($1, $2, $3)', head);
  for (const { filter, numbers, entries } of OF_ONE) {
    const name = JSON.stringify(filter);
    const postingsBefore = await readSoFar(pool, ['postings']);
    const found = await find(pool, { ...filter, userId: 'usr_1' });
    const postings = (await readSoFar(pool, ['postings'])) - postingsBefore;
    assert.deepEqual(found.numbers, numbers, name);
    assert.ok(found.read <= entries, `${name} read ${found.read} entries`);
    // No index has the moves: a rare one is searched in all postings of the user.
    if (filter.action !== 'BALANCE_DEBITED') assert.ok(postings <= 700, `${name} read ${postings} postings`);
  }
});

test('the actions without an index are exactly those that are recorded about balances', () => {
  const files = sourcesOf('server/src/modules/**/*.ts').filter(({ text }) => text.includes("resourceType: 'Balance'"));
  const recorded = AUDIT_ACTIONS.filter((action) => files.some(({ text }) => text.includes(`'${action}'`)));
  assert.deepEqual(
    recorded.filter((action) => /^(BALANCE|RESERV)/.test(action)).sort(),
    ['BALANCE_SYNCED', ...UNINDEXED_ACTIONS].sort(),
  );
});
