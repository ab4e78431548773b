// Concurrent requests for one user's money: exactly the requests that the balance covers succeed. one-user.long.test.ts sends
// hundreds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../tools/processes/server-process.ts';
import { openOne, raceDebits, raceForOne, raceForUser, raceReserved, raceReserves } from './user-races.ts';

const REFUSAL = /^400 (RESERVATION_EXCEEDED|INVALID_RESERVED_DEDUCTION)$/;

test('of 100 debits at once exactly those that the balance covers succeed', async (t) => {
  const answers = await raceDebits(await openOne(t), { asked: 100, covered: 40 });
  assert.deepEqual(answers, { 200: 40, '422 INSUFFICIENT_FUNDS': 60 });
});

test('of 60 reserves at once exactly those that the balance covers succeed', async (t) => {
  const answers = await raceReserves(await openOne(t), { asked: 60, covered: 20 });
  assert.deepEqual(answers, { 200: 20, '422 INSUFFICIENT_FUNDS': 40 });
});

test('releases and deductions at once take no more than the reserved amount', async (t) => {
  const refusals = await raceReserved(await openOne(t), { asked: 80, covered: 30, random: seeded(77) });
  for (const name of refusals) assert.match(name, REFUSAL);
});

test('a cancellation, a release and a deduction of the same order at once: one of them gets the money', async (t) => {
  assert.equal(await raceForOne(await openOne(t), { rounds: 6, random: seeded(78) }), 6);
});

test('40 callers that create the same user at once create it once', async (t) => {
  assert.deepEqual(await raceForUser(await openOne(t), 40), { 201: 1, 200: 39 });
});
