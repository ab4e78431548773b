// The races of races.test.ts with more copies and rounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertPaidOrCanceled, creditsByCopies, creditsByEvents } from './topup-race-checks.ts';

test('a hundred copies of one success during refreshes and callbacks: one credit (defect 20)', async (t) => {
  assert.equal(await creditsByCopies(t, 100), 1);
});

test('a hundred events about one success, each with an id of its own: all are accepted and one credits', async (t) => {
  assert.equal(await creditsByEvents(t, 100), 1);
});

test('cancelling and paying at once, twenty times, ends in one of the two each time', async (t) => {
  await assertPaidOrCanceled(t, 20);
});
