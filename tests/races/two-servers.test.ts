// Two servers on one database and the same user: no update is lost, nothing is overdrawn, no position is missing.
// two-servers.long.test.ts sends hundreds of requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../tools/processes/server-process.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openTwo, raceCredits, raceDebits, raceForOne, raceForUser, raceWithOneKey } from './user-races.ts';

const servers = shareInFile(openTwo);

test('debits through two servers at once take exactly the balance', async () => {
  const answers = await raceDebits(servers(), { asked: 100, covered: 30 });
  assert.deepEqual(answers, { 200: 30, '422 INSUFFICIENT_FUNDS': 70 });
});

test('credits through two servers at once are all booked', async () => {
  assert.equal(await raceCredits(servers(), 100), '1.00');
});

test('one reservation is cancelled, released or deducted once when requests through two servers race for it', async () => {
  assert.equal(await raceForOne(servers(), { rounds: 5, random: seeded(79) }), 5);
});

test('one Idempotency-Key sent to both servers at once is one effect', async () => {
  assert.equal(await raceWithOneKey(servers(), 8), '8.00');
});

test('the same user is created once when two servers create it at once', async () => {
  for (let round = 0; round < 3; round++) assert.deepEqual(await raceForUser(servers(), 20), { 201: 1, 200: 19 });
});
