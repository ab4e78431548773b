// The faults and the spelling that faults.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertWebhooksEndTheSame, paymentsFoundAgain } from './topup-fault-checks.ts';

test('creating: after a lasting timeout the top-up is found again by its id, and there is one payment', async (t) => {
  assert.equal(await paymentsFoundAgain(t, 'timeout'), 1);
});

test('webhooks: duplicate, late and reordered webhooks have the same result, in the neutral spelling', async (t) => {
  await assertWebhooksEndTheSame(t, 'neutral');
});
