// Every table has a marketplace column and every key begins with it, by PostgreSQL's own catalogue. Tables without a marketplace
// are listed with a reason. tenancy-life.long.test.ts runs two marketplaces on one database and checks every statement.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';
import { faultsOf } from '../support/tenancy-catalogue.ts';
import { ACROSS, HOUSE_SCHEMAS, HOUSE_TABLES } from '../support/tenancy-lists.ts';
import { printAcross, printTables } from '../support/tenancy-page.ts';
import { readText } from './sources.ts';

const connect = async (t: TestContext): Promise<pg.Client> => {
  const database = await createDatabase();
  afterwards(t, database.drop);
  const client = new pg.Client(database.connection);
  await client.connect();
  afterwards(t, () => client.end());
  return client;
};

test('every table has its marketplace, every key begins with it, and no foreign key leads out of it', async (t) => {
  assert.deepEqual(await faultsOf(await connect(t)), []);
});

test('a table, a key or a foreign key that leaves the marketplace out is found', async (t) => {
  const client = await connect(t);
  await client.query(`
    create table homeless (id text primary key);
    create table hesitant (marketplace_id text, id text not null);
    create unique index hesitant_by_id on hesitant (id) include (marketplace_id);
    create table numbered (marketplace_id integer not null, place integer, unique (marketplace_id, place));
    create table guests (marketplace_id text not null, id text not null, host text, primary key (marketplace_id, id));
    create unique index guests_lower on guests (lower(id), marketplace_id);
    alter table guests add constraint host foreign key (host) references homeless (id),
      add constraint friend foreign key (marketplace_id, id) references guests (marketplace_id, id),
      add constraint crossed foreign key (id, marketplace_id) references guests (marketplace_id, id)`);
  assert.deepEqual(await faultsOf(client), [
    'The foreign key crossed of guests could lead into another marketplace: let both sides hold marketplace_id.',
    'The foreign key host of guests could lead into another marketplace: let both sides hold marketplace_id.',
    'The key guests_lower of guests begins with (an expression): let it begin with marketplace_id.',
    'The key hesitant_by_id of hesitant begins with id: let it begin with marketplace_id.',
    'The key homeless_pkey of homeless begins with id: let it begin with marketplace_id.',
    'hesitant.marketplace_id has to be "text not null".',
    'homeless has no marketplace_id: give it one, or list it in tests/support/tenancy-lists.ts.',
    'numbered.marketplace_id has to be "text not null".',
  ]);
});

test('every listed table without a marketplace exists, has no marketplace column, and has a reason', async (t) => {
  const client = await connect(t);
  const { rows } = await client.query<{ name: string; schema: string; belongs: boolean }>(
    `select c.relname as name, n.nspname as schema,
       exists (select from pg_attribute where attrelid = c.oid and attname = 'marketplace_id') as belongs
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p')`,
  );
  const listed = [
    ...HOUSE_TABLES.map((entry) => ({ ...entry, of: rows.filter(({ name }) => name === entry.name) })),
    ...HOUSE_SCHEMAS.map((entry) => ({ ...entry, of: rows.filter(({ schema }) => schema === entry.name) })),
  ];
  for (const { name, why, of } of listed) {
    assert.ok(of.length > 0, `${name} is gone: take it off the list in tests/support/tenancy-lists.ts`);
    assert.ok(!of.some(({ belongs }) => belongs), `${name} has marketplaces: it does not belong on the list`);
    assert.ok(why.length > 20, name);
  }
});

test('docs/scaling.md shows every table and which kind it is', () => {
  const wanted = printTables(readText('server/src/commit/schema.sql'));
  assert.ok(readText('docs/scaling.md').includes(wanted), `the page has to hold:\n\n${wanted}`);
});

test('docs/scaling.md names the statements that read all marketplaces, each with its reason', () => {
  for (const { asks, why } of ACROSS) assert.ok(why.length > 20, asks);
  const wanted = printAcross();
  assert.ok(readText('docs/scaling.md').includes(wanted), `the page has to hold:\n\n${wanted}`);
});
