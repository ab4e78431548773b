// Two servers on one database and hundreds of requests for the same user: no update is lost, nothing is overdrawn, no position is
// missing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../tools/processes/server-process.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openTwo, raceCredits, raceDebits, raceForOne, raceForUser, raceWithOneKey } from './user-races.ts';

const servers = shareInFile(openTwo);

test('debits through two servers at once take exactly the balance', async () => {
  const answers = await raceDebits(servers(), { asked: 400, covered: 120 });
  assert.deepEqual(answers, { 200: 120, '422 INSUFFICIENT_FUNDS': 280 });
});

test('credits through two servers at once are all booked', async () => {
  assert.equal(await raceCredits(servers(), 400), '4.00');
});

test('one reservation is cancelled, released or deducted once when requests through two servers race for it', async () => {
  assert.equal(await raceForOne(servers(), { rounds: 15, random: seeded(79) }), 15);
});

test('one Idempotency-Key sent to both servers at once is one effect', async () => {
  assert.equal(await raceWithOneKey(servers(), 25), '25.00');
});

test('the same user is created once when two servers create it at once', async () => {
  for (let round = 0; round < 10; round++) assert.deepEqual(await raceForUser(servers(), 20), { 201: 1, 200: 19 });
});
