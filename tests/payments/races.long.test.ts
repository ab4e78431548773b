// The races of races.test.ts with more copies and rounds.

import { test } from 'node:test';
import { assertCopiesCreditOnce, assertEventsCreditOnce, assertPaidOrCanceled } from './topup-crowds.ts';

test('a hundred copies of one success beside refreshes and callbacks: one credit (defect 20)', async (t) => {
  await assertCopiesCreditOnce(t, 100);
});

test('a hundred events about one success, each with an id of its own: all are taken and one credits', async (t) => {
  await assertEventsCreditOnce(t, 100);
});

test('cancelling and paying at once, twenty times, ends in one of the two each time', async (t) => {
  await assertPaidOrCanceled(t, 20);
});
