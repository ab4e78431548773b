// What the migration runner promises: in order, once, whole or not at all.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { migrate } from '../../server/src/commit/migrate.ts';
import { until } from '../../tools/until.ts';
import { openEmptyDatabase } from './empty-database.ts';

const FIRST = { '0001_first.sql': 'create table first (id int);' };
const SECOND = { '0002_second.sql': 'alter table first add column name text;' };

test('migrations are applied in order, once, and remembered', async (t) => {
  const { pool, folder } = await prepare(t, { ...SECOND, ...FIRST, 'notes.txt': 'not a migration' });
  const said: string[] = [];
  const log = (line: string) => said.push(line);
  assert.deepEqual(await migrate({ pool, folder, log }), { applied: ['0001_first', '0002_second'] });
  assert.equal(said.length, 2);
  assert.deepEqual(await migrate({ pool, folder }), { applied: [] });
  assert.deepEqual(await namesIn(pool), ['0001_first', '0002_second']);
});

test('a later migration is applied to a database that has the earlier ones', async (t) => {
  const { pool, folder } = await prepare(t, FIRST);
  await migrate({ pool, folder });
  await write(folder, SECOND);
  assert.deepEqual(await migrate({ pool, folder }), { applied: ['0002_second'] });
});

test('many servers that start at once apply each migration once', async (t) => {
  const { pool, folder } = await prepare(t, { ...FIRST, ...SECOND });
  const results = await Promise.all(Array.from({ length: 8 }, () => migrate({ pool, folder })));
  assert.deepEqual(results.flatMap((result) => result.applied).sort(), ['0001_first', '0002_second']);
});

test('a database of another program is refused with what to do, and nothing is written to it', async (t) => {
  const { pool, folder } = await prepare(t, FIRST);
  const tables = async () =>
    (await pool.query("select relname from pg_class where relnamespace = 'public'::regnamespace order by 1")).rows;
  // As another framework names its own table of migrations.
  await pool.query('create table schema_migrations (version text); create table articles (title text)');
  const before = await tables();
  const refusal =
    /belongs to another program.*\(articles, schema_migrations\)\. Nothing was changed\. Set DATABASE_URL to/;
  await assert.rejects(migrate({ pool, folder }), refusal);
  await pool.query('alter table schema_migrations add column name text, add column checksum text');
  await pool.query("insert into schema_migrations (name) values ('20260101_articles')");
  await assert.rejects(migrate({ pool, folder }), refusal);
  assert.deepEqual(await tables(), before);
  await pool.query('drop table schema_migrations, articles; create sequence counter');
  assert.deepEqual(await migrate({ pool, folder }), { applied: ['0001_first'] });
});

test('a failing migration leaves nothing behind, names its line, and can be tried again', async (t) => {
  const broken = { '0002_broken.sql': '-- Größe\ncreate table half (id int);\nselect nonsense;' };
  const { pool, folder } = await prepare(t, { ...FIRST, ...broken });
  await assert.rejects(migrate({ pool, folder }), /0002_broken failed at line 3 and left nothing behind.*nonsense/);
  assert.deepEqual(await namesIn(pool), ['0001_first']);
  const { rows } = await pool.query("select to_regclass('half') as half");
  assert.equal(rows[0].half, null);
  await write(folder, { '0002_broken.sql': 'create table half (id int);' });
  assert.deepEqual(await migrate({ pool, folder }), { applied: ['0002_broken'] });
});

test('a migration that changed after it was applied is refused', async (t) => {
  const { pool, folder } = await prepare(t, FIRST);
  await migrate({ pool, folder });
  await write(folder, { '0001_first.sql': 'create table first (id bigint);' });
  await assert.rejects(migrate({ pool, folder }), /0001_first has changed.*make the change in a new migration/);
});

test('the other line endings of another checkout are not a change', async (t) => {
  const { pool, folder } = await prepare(t, { '0001_first.sql': 'create table first (\n id int\n);\n' });
  await migrate({ pool, folder });
  await write(folder, { '0001_first.sql': 'create table first (\r\n id int\r\n);\r\n' });
  assert.deepEqual(await migrate({ pool, folder }), { applied: [] });
});

test('a database that a newer server has migrated is refused', async (t) => {
  const { pool, folder } = await prepare(t, { ...FIRST, ...SECOND });
  await migrate({ pool, folder });
  await rm(path.join(folder, '0002_second.sql'));
  await assert.rejects(migrate({ pool, folder }), /has migration 0002_second.*a newer Holdfast.*Start that version/);
});

test('a migration that meets a long read lets others pass, and is applied when the way is free', async (t) => {
  const { pool, folder } = await prepare(t, FIRST);
  await migrate({ pool, folder });
  await write(folder, SECOND);
  const reader = await pool.connect();
  await reader.query('begin; select * from first');
  const said: string[] = [];
  const migrating = migrate({ pool, folder, log: (line) => said.push(line) });
  await until(() => said.length > 0, 'it has given way');
  // Behind a change that waits this would wait as well, for as long as the reader stays.
  await pool.query('insert into first (id) values (1)');
  assert.deepEqual(await namesIn(pool), ['0001_first']);
  await reader.query('commit');
  reader.release();
  assert.deepEqual(await migrating, { applied: ['0002_second'] });
  assert.match(said[0]!, /0002_second failed.*lock timeout; it is retried/);
});

const WRONG_FOLDERS: [string, Record<string, string>, RegExp][] = [
  ['a gap', { ...FIRST, '0003_third.sql': 'select 1' }, /0003_third\.sql is out of order: a file named 0002_/],
  ['a double number', { ...FIRST, '0001_other.sql': 'select 1' }, /0001_other\.sql is out of order/],
  ['a name without a number', { ...FIRST, 'second.sql': 'select 1' }, /second\.sql is out of order/],
  [
    'a file that ends its transaction',
    { '0001_first.sql': 'select 1;\nCOMMIT;' },
    /must not begin or end a transaction/,
  ],
];
for (const [what, files, refusal] of WRONG_FOLDERS) {
  test(`${what} is refused before anything is applied`, async (t) => {
    const { pool, folder } = await prepare(t, files);
    await assert.rejects(migrate({ pool, folder }), refusal);
    const { rows } = await pool.query("select to_regclass('first') as first");
    assert.equal(rows[0].first, null);
  });
}

async function prepare(t: TestContext, files: Record<string, string>) {
  const opened = await openEmptyDatabase(t);
  await write(opened.folder, files);
  return opened;
}

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await writeFile(path.join(folder, name), sql);
}

async function namesIn(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from schema_migrations order by name');
  return rows.map((row) => row.name);
}
