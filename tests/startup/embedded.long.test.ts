// The embedded PostgreSQL when it is stopped and started again, and in folders that are closed or have long names.

import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { prepareCluster, preparedFolder } from '../support/prepared-cluster.ts';
import { ask, start } from './fixture.ts';

test('a restart keeps the data', async (t) => {
  const dataDir = await preparedFolder(t);
  const first = await start(t, { dataDir });
  await ask(first, 'create table kept as select 42 as answer');
  await first.stop();
  assert.deepEqual(await first.exited, { code: 0, signal: null });
  const second = await start(t, { dataDir });
  assert.deepEqual(await ask(second, 'select answer from kept'), [42]);
});

test('stopping twice is the same as stopping once', async (t) => {
  const postgres = await start(t, { dataDir: await preparedFolder(t) });
  await Promise.all([postgres.stop(), postgres.stop()]);
  await assert.rejects(ask(postgres, 'select 1'));
});

test('a data folder inside a closed folder works', async (t) => {
  const closed = path.join(await temporaryFolder(t), 'closed');
  await mkdir(closed, { mode: 0o700 });
  const first = await start(t, { dataDir: path.join(closed, 'data') });
  await ask(first, 'create table kept as select 42 as answer');
  await first.stop();
  await chmod(path.join(closed, 'data'), 0o700);
  const second = await start(t, { dataDir: path.join(closed, 'data') });
  assert.deepEqual(await ask(second, 'select answer from kept'), [42]);
});

test('a data folder with a path too long for a socket address works', async (t) => {
  const dataDir = path.join(await temporaryFolder(t), 'long'.repeat(20), 'and-longer'.repeat(6));
  await prepareCluster(dataDir);
  const postgres = await start(t, { dataDir });
  assert.deepEqual(await ask(postgres, 'select 1'), [1]);
});
