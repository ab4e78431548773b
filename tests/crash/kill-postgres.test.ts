// kill -9 of the embedded PostgreSQL under load: the server says so and ends, and the next start finds everything.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postgresPid } from '../../scripts/drills/server.ts';
import { until } from '../committer/bend.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newLoad, runLoad, settleLoad } from './credit-load.ts';
import { newKey, newUser, openEmbedded, startServer } from './server-process.ts';

test('after kill -9 of PostgreSQL under load the server ends with a sentence, and a restart finds every credit', async (t) => {
  const dataDir = await temporaryFolder(t);
  const first = await startServer(t, { dataDir });
  const key = await newKey(first.url);
  const userIds = [await newUser(first.url, { key, externalUserId: 'u1' })];
  const load = newLoad();
  const running = runLoad(first.url, { key, userIds, workers: 16, load });
  await until(() => load.acknowledged.length >= 200, 'enough was acknowledged');
  process.kill((await postgresPid(dataDir))!, 'SIGKILL');
  const { code } = await first.exited;
  await running;
  assert.equal(code, 1);
  assert.match(first.said(), /PostgreSQL ended on its own/);

  const second = await startServer(t, { dataDir });
  await settleLoad(second.url, { key, load, pool: openEmbedded(t, dataDir) });
});
