// Hundreds of requests at once for one user's money: exactly the requests that the balance covers succeed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../tools/processes/server-process.ts';
import { openOne, raceDebits, raceForOne, raceForUser, raceReserved, raceReserves } from './user-races.ts';

const REFUSAL = /^400 (RESERVATION_EXCEEDED|INVALID_RESERVED_DEDUCTION)$/;

test('of 300 debits at once exactly those that the balance covers succeed', async (t) => {
  const answers = await raceDebits(await openOne(t), { asked: 300, covered: 100 });
  assert.deepEqual(answers, { 200: 100, '422 INSUFFICIENT_FUNDS': 200 });
});

test('of 200 reserves at once exactly those that the balance covers succeed', async (t) => {
  const answers = await raceReserves(await openOne(t), { asked: 200, covered: 50 });
  assert.deepEqual(answers, { 200: 50, '422 INSUFFICIENT_FUNDS': 150 });
});

test('releases and deductions at once take no more than the reserved amount', async (t) => {
  const refusals = await raceReserved(await openOne(t), { asked: 240, covered: 100, random: seeded(77) });
  for (const name of refusals) assert.match(name, REFUSAL);
});

test('a cancellation, a release and a deduction of the same order at once: one of them gets the money', async (t) => {
  assert.equal(await raceForOne(await openOne(t), { rounds: 20, random: seeded(78) }), 20);
});

test('100 callers that create the same user at once create it once', async (t) => {
  assert.deepEqual(await raceForUser(await openOne(t), 100), { 201: 1, 200: 99 });
});
