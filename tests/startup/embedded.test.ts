// What the embedded PostgreSQL promises when nothing goes wrong. embedded.long.test.ts has restarts and unusual folders.

import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { preparedFolder } from '../support/prepared-cluster.ts';
import { ask, start } from './fixture.ts';

test('a PostgreSQL in a fresh folder', async (t) => {
  process.env.MASTER_KEY = 'correct-horse';
  afterwards(t, () => delete process.env.MASTER_KEY);
  const dataDir = path.join(await temporaryFolder(t), 'made', 'here');
  const postgres = await start(t, { dataDir });

  await t.test('waits for the disk and has no network port', async () => {
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums', 'TimeZone'];
    const values = await ask(postgres, names.map((name) => `select current_setting('${name}')`).join(' union all '));
    assert.deepEqual(values, ['on', 'on', 'on', '', 'on', 'UTC']);
    assert.deepEqual(
      await ask(postgres, 'select pg_encoding_to_char(encoding) from pg_database where datname = current_database()'),
      ['UTF8'],
    );
  });

  await t.test('never runs as root, and its folder and socket are closed to everybody else', async () => {
    const cluster = await stat(path.join(dataDir, 'postgres'));
    assert.notEqual(cluster.uid, 0);
    assert.equal(cluster.mode & 0o077, 0);
    assert.equal(cluster.uid === process.getuid!(), process.getuid!() !== 0);
    if (process.platform === 'linux') assert.equal((await stat(`/proc/${postgres.pid}`)).uid, cluster.uid);
    assert.equal((await stat(dataDir)).uid, process.getuid!(), 'only the cluster changes hands');
  });

  await t.test('is not handed the secrets in our environment', { skip: process.platform !== 'linux' }, async () => {
    assert.doesNotMatch(await readFile(`/proc/${postgres.pid}/environ`, 'utf8'), /correct-horse/);
  });

  await t.test('keeps the values of a refused row out of its log', async () => {
    await ask(postgres, 'create table one (key text primary key); insert into one select md5($$x$$)');
    await assert.rejects(ask(postgres, 'insert into one select md5($$x$$)'), /duplicate key/);
    const log = await readFile(path.join(dataDir, 'postgres.log'), 'utf8');
    assert.match(log, /duplicate key/);
    assert.doesNotMatch(log, /9dd4e461268c8034f5c8564e155c67a6/);
  });
});

test('settings of the caller win, but never open a network port', async (t) => {
  const settings = { work_mem: '7MB', listen_addresses: '*', shared_buffers: '16MB' };
  const postgres = await start(t, { dataDir: await preparedFolder(t), settings });
  assert.deepEqual(await ask(postgres, 'show work_mem'), ['7MB']);
  assert.deepEqual(await ask(postgres, 'show listen_addresses'), ['']);
});

test('a folder made by another PostgreSQL version is refused with a sentence that says what to do', async (t) => {
  const dataDir = await preparedFolder(t);
  await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n');
  await assert.rejects(
    start(t, { dataDir }),
    /made by PostgreSQL 15.*brings PostgreSQL 18.*Start the Holdfast version/,
  );
});

test('what stops PostgreSQL from starting is said in the error', async (t) => {
  const settings = { shared_buffers: 'plenty' };
  await assert.rejects(start(t, { dataDir: await preparedFolder(t), settings }), /did not start:.*shared_buffers/);
});
