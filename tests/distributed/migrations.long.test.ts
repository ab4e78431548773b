// Later migrations on a distributed database: what they add is on every shard, and new tables are distributed beside the others.

import assert from 'node:assert/strict';
import { copyFile, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { undistributedTables } from '../../server/src/commit/distributed/tables.ts';
import { MIGRATIONS, migrate } from '../../server/src/commit/migrate.ts';
import { distribute } from '../../server/src/distributed/distribute.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import {
  distributeAll,
  MARKETPLACES,
  openDatabase,
  openFilled,
  openNodes,
  type Place,
  SHARDS,
  unproved,
  writeBooks,
} from './fixture.ts';

/** The folder of the migrations, up to a number. */
const copyMigrations = async (t: TestContext, count?: number): Promise<{ folder: string; last: number }> => {
  const folder = await temporaryFolder(t);
  const files = (await readdir(MIGRATIONS)).sort().slice(0, count);
  for (const file of files) await copyFile(path.join(MIGRATIONS, file), path.join(folder, file));
  return { folder, last: files.length };
};

const distributeEarly = async ({ pool }: Place): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query(`set citus.shard_count to ${SHARDS}`);
    await distribute(client, () => {});
  } finally {
    client.release();
  }
};

const leftOut = async ({ pool }: Place): Promise<string[]> => {
  const client = await pool.connect();
  return undistributedTables(client).finally(() => client.release());
};

test('a database that was distributed with 30 migrations is migrated to the newest, and its books hold', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openDatabase(t, nodes);
  await migrate({ pool: place.pool, ...(await copyMigrations(t, 30)) });
  await place.pool.query(`insert into marketplaces (marketplace_id, event_position, audit_seq, audit_hash)
    values ('mkt_old', 0, 0, '')`);
  await distributeEarly(place);
  const { applied } = await migrate({ pool: place.pool });
  assert.equal(applied[0], '0031_books_until');
  assert.deepEqual(await leftOut(place), []);
  await writeBooks(place, ['mkt_old', ...MARKETPLACES]);
  assert.deepEqual(await unproved(place, ['mkt_old', ...MARKETPLACES]), []);
});

const NEXT = `-- What a later version may add; with a comment; and more.
create table later (marketplace_id text not null, id text not null, note text not null, primary key (marketplace_id, id));
insert into later select marketplace_id, 'first', 'from a migration' from marketplaces;
create index later_notes on later (marketplace_id, note);
alter table users add column later_id text;
alter table users add constraint later_is_named check (later_id <> '');
update users set later_id = 'none';
create function refuse_later() returns trigger language plpgsql as $$
begin
  raise exception 'later stays; as it is';
end $$;
create trigger later_stays before update on later for each statement execute function refuse_later();
create or replace function require_rows(actual bigint, expected bigint, what text) returns void
language plpgsql as $$
begin
  if actual is distinct from expected then raise exception 'later: % of % rows of %', actual, expected, what; end if;
end $$;
`;

test('a migration adds columns, indexes, tables, triggers and functions on every shard, in one transaction', async (t) => {
  const nodes = await openNodes(t);
  if (!nodes) return;
  const place = await openFilled(t, nodes);
  await distributeAll(place);
  const { folder, last } = await copyMigrations(t);
  const file = path.join(folder, `${String(last + 1).padStart(4, '0')}_later.sql`);

  await writeFile(file, `${NEXT}\nselect 1 / 0;\n`);
  await assert.rejects(
    migrate({ pool: place.pool, folder }),
    /failed at line 19 and left nothing behind: division by zero/,
  );
  assert.deepEqual((await place.ask(`select to_regclass('later') as later`)).rows, [{ later: null }]);

  await writeFile(file, NEXT);
  assert.deepEqual((await migrate({ pool: place.pool, folder })).applied, [path.basename(file, '.sql')]);
  assert.deepEqual(await leftOut(place), []);
  const { rows } = await place.ask(`select count(*)::int as n from citus_tables
    where colocation_id = (select colocation_id from citus_tables where table_name = 'marketplaces'::regclass)
      and table_name = 'later'::regclass`);
  assert.equal(rows[0].n, 1);
  assert.equal((await place.ask('select count(*)::int as n from later')).rows[0].n, MARKETPLACES.length);
  assert.equal(
    (await place.ask(`select count(*)::int as n from users where later_id = 'none'`)).rows[0].n,
    MARKETPLACES.length,
  );
  await assert.rejects(place.ask(`update later set note = '' where marketplace_id = 'mkt_a'`), /later stays; as it is/);
  await assert.rejects(place.ask(`update users set later_id = '' where marketplace_id = 'mkt_a'`), /later_is_named/);
  for (const node of nodes.workers) {
    await assert.rejects(place.ask(`select require_rows(1, 2, 'x')`, node), /later: 1 of 2 rows of x/);
  }
});
