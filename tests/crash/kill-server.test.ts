// kill -9 of the server at any moment loses nothing that was acknowledged and leaves nothing half done.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../committer/bend.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newLoad, runLoad, settleLoad } from './credit-load.ts';
import { newKey, newUser, openEmbedded, seeded, startServer } from './server-process.ts';

const ROUNDS = 6;
const WORKERS = 16;

test('after kill -9 of the server under load, what was acknowledged is there once and a repeat completes the rest', async (t) => {
  const dataDir = await temporaryFolder(t);
  const random = seeded(2_026);
  let server = await startServer(t, { dataDir });
  const key = await newKey(server.url);
  const userIds = await Promise.all([1, 2, 3].map((n) => newUser(server.url, { key, externalUserId: `u${n}` })));
  const load = newLoad();
  let unanswered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const target = load.acknowledged.length + 1 + Math.floor(random() * 300);
    const running = runLoad(server.url, { key, userIds, workers: WORKERS, load });
    await until(() => load.acknowledged.length >= target, 'enough was acknowledged');
    await server.kill('SIGKILL');
    await running;
    unanswered += load.unanswered.length;

    server = await startServer(t, { dataDir });
    await settleLoad(server.url, { key, load, pool: openEmbedded(t, dataDir) });
    load.acknowledged.push(...load.unanswered.splice(0));
  }
  assert.ok(unanswered > 0, 'some requests were cut off');
  assert.equal((await server.kill('SIGTERM')).code, 0);
});
