// Two marketplaces run the whole scenario on a schema that is partitioned by marketplace, as a distributed database would do it.
// Every statement of the server reads only rows of its own marketplaces, except for the listed statements.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { proveBooks } from '../../server/src/books/proof.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { startApp } from '../support/app.ts';
import { watchCalls } from '../support/tenancy-calls.ts';
import type { Place } from '../support/tenancy-life.ts';
import { ACROSS, NOT_LIVED } from '../support/tenancy-lists.ts';
import { partitionDatabase } from '../support/tenancy-partitions.ts';
import { openJudge } from '../support/tenancy-plans.ts';
import { type Heard, isWatched, MARKETPLACES, oneLine, runScenario } from '../support/tenancy-scenario.ts';

/** The proof of the books and of the audit chain of each marketplace. */
const proveAll = async (connection: Connection) => {
  const pool = openPool(connection, { max: 1, onError() {} });
  const audit = createAuditReads(pool);
  try {
    return await Promise.all(
      MARKETPLACES.map(async (id) => {
        const { holds, currencies } = await proveBooks(pool, id);
        return { holds, currencies, chain: await audit.verifyChain(id) };
      }),
    );
  } finally {
    await pool.end();
  }
};

/** Starts a server on the usual schema, writes some rows, and then partitions the database with these rows. */
const moveWithBooks = async (t: TestContext, connection: Connection): Promise<string[]> => {
  const app = await startApp(t, { connection });
  for (const id of MARKETPLACES) await app.aUser({ key: await app.key(['*'], id), available: '10.00' });
  await app.close();
  const before = await proveAll(connection);
  const tables = await partitionDatabase(connection);
  await t.test('a database that is partitioned with its books has the same proofs before and after', async () => {
    assert.ok(before.every(({ holds, currencies, chain }) => holds && chain.holds && currencies.length === 1));
    assert.deepEqual(await proveAll(connection), before);
  });
  return tables;
};

/** A job deletes its rows, so it is often empty. The scenario has filled it when the statement of its rows was sent. */
const WORK_LIST = { table: 'moved_wallets', fills: /^insert into moved_wallets / };

type Lived = { readonly tables: string[]; readonly places: Place[]; readonly heard: Heard };

const assertApart = async (t: TestContext, { tables, places, heard }: Lived) => {
  const { app } = places[0]!;
  await t.test('each marketplace is in one partition of every table, and its books hold there', async () => {
    const homes = tables.map(
      (name) => `select '${name}' as "table", marketplace_id as id,
      count(distinct tableoid)::int as partitions, min(tableoid::regclass::text) as home from ${name} group by 2`,
    );
    const rows = await app.sql(homes.join(' union all '));
    assert.deepEqual(
      rows.filter(({ partitions }) => partitions !== 1),
      [],
    );
    const filled = new Set(rows.map(({ table }) => table));
    if (heard.keys().some((text) => WORK_LIST.fills.test(oneLine(text)))) filled.add(WORK_LIST.table);
    const homeOf = (id: string) => rows.find((row) => row.table === 'marketplaces' && row.id === id).home;
    assert.notEqual(homeOf(MARKETPLACES[0]), homeOf(MARKETPLACES[1]));
    assert.deepEqual(
      tables.filter((name) => !filled.has(name)),
      [],
      'a life leaves something in every table',
    );
    for (const { ask } of places) {
      assert.equal((await ask('GET /audit/verify')).holds, true);
      const { holds, checks, currencies } = await ask('GET /audit/proof');
      assert.ok(holds, JSON.stringify(checks));
      assert.ok(currencies.length > 0);
    }
  });

  await t.test('neither marketplace sees anything of the other', async () => {
    for (const [place, other] of [places, places.toReversed()] as [Place, Place][]) {
      const own = await app.sql('select id from orders where marketplace_id = $1', [place.marketplaceId]);
      const { data } = await place.ask('GET /orders?limit=100');
      assert.deepEqual(data.map(({ id }: { id: string }) => id).toSorted(), own.map(({ id }) => id).toSorted());
      const foreign = await app.call(`GET /orders/${own[0].id}`, { key: other.key });
      assert.equal(foreign.status, 404);
    }
  });

  await t.test('a key without the marketplace is refused by the database itself', async () => {
    await assert.rejects(app.sql('alter table orders add unique (id)'), { code: '0A000' });
  });
};

const assertBound = async (t: TestContext, { heard, judge }: { heard: Heard; judge: Judge }): Promise<void> => {
  const across: string[] = [];
  const unseen: string[] = [];
  for (const [text, times] of heard) {
    const first = await judge(times[0]!);
    const { crosses, missing } = first.missing.length > 0 ? await judge(times.at(-1)!) : first;
    if (crosses.length > 0) across.push(oneLine(text));
    if (missing.length > 0) unseen.push(`${missing}: ${oneLine(text)}`);
  }

  await t.test('no statement reads other marketplaces, except for those that are listed with a reason', () => {
    assert.ok(heard.size > 200, `only ${heard.size} statements were recorded`);
    assert.deepEqual(unseen, [], 'the plan has to show every table that the statement names');
    const unlisted = across.filter((text) => !ACROSS.some(({ part }) => part.test(text)));
    const advice = 'Bind it by marketplace_id, or list it with its reason in tests/support/tenancy-lists.ts:';
    assert.deepEqual(unlisted, [], `a statement reads all marketplaces. ${advice}\n${unlisted.join('\n')}`);
  });

  await t.test('every listed statement is sent, matches one text only, and reads all marketplaces', () => {
    for (const { part, asks, why } of ACROSS.filter(({ isOfCluster }) => !isOfCluster)) {
      const matching = across.filter((text) => part.test(text));
      assert.equal(matching.length, 1, `${asks}: take it off the list, or correct it. It is:\n${matching.join('\n')}`);
      assert.ok(why.length > 20);
    }
  });
};

type Judge = Awaited<ReturnType<typeof openJudge>>['judge'];

/** Statements, each with the table that it reads in all marketplaces, or null. */
const JUDGED: readonly (readonly [text: string, crosses: string | null])[] = [
  ['select 1 from orders o where o.marketplace_id = $1', null],
  ['select 1 from orders o join escrows e using (marketplace_id, id) where o.marketplace_id = $1', null],
  ['select 1 from orders o join escrows e on e.id = o.escrow_id where o.marketplace_id = $1', 'escrows'],
  ['select 1 from orders o, escrows e where o.marketplace_id = $1 and e.marketplace_id > $1', 'escrows'],
  ['select (select count(*) from users) from orders where marketplace_id = $1', 'users'],
  ['select 1 from unnest(array[$1, $1]) k (marketplace_id) join orders t using (marketplace_id)', null],
  ['select 1 from unnest(array[$1, $1]) k (marketplace_id) join orders t on t.id = k.marketplace_id', 'orders'],
  ['update orders set title = title where id = $1', 'orders'],
  ['delete from events where marketplace_id <> $1', 'events'],
  [
    "insert into proofs select marketplace_id, true, now(), '{}' from marketplaces where audit_hash = $1",
    'marketplaces',
  ],
];

const assertJudged = (t: TestContext, judge: Judge): Promise<void> =>
  t.test('a statement that reads other marketplaces is distinguished from one that does not', async () => {
    for (const [text, crosses] of JUDGED) {
      const found = await judge({ text, values: ['mkt_default'] });
      assert.deepEqual(found.crosses, crosses === null ? [] : [crosses], text);
    }
  });

test('two marketplaces run the whole scenario on a schema that is partitioned by marketplace', {
  timeout: 240_000,
}, async (t) => {
  const watch = await watchCalls(isWatched);
  afterwards(t, watch.end);
  const { connection, drop } = await createDatabase();
  afterwards(t, drop);
  const tables = await moveWithBooks(t, connection);
  const { places, heard, assertSettled } = await runScenario(t, connection);
  const uncalled = await watch.uncalled();
  await assertSettled();
  await assertApart(t, { tables, places, heard });
  const { judge, close } = await openJudge(connection, tables);
  afterwards(t, close);
  await assertJudged(t, judge);
  await assertBound(t, { heard, judge });

  await t.test('every function that queries the database was called, so every statement is checked', () => {
    const advice = 'Call it in the scenario of tests/support/tenancy-life.ts, or in tenancy-rare.ts';
    const excused = new Set(NOT_LIVED.map(({ call }) => call));
    assert.deepEqual(
      uncalled.filter((call) => !excused.has(call)),
      [],
      advice,
    );
  });
});
