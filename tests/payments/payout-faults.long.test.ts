// The faults, the spelling and the webhooks that payout-faults.test.ts leaves out.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertCarriedOn,
  assertSlowAnswerCounts,
  assertWebhooksEndTheSame,
  HELD,
  type LastingFault,
  PAID,
} from './payout-fault-checks.ts';
import { openSharedWithdrawals } from './withdrawal-fixture.ts';

test('payout: a slow answer is accepted', async (t) => {
  await assertSlowAnswerCounts(t, 'payout');
});

const LASTING: readonly LastingFault[] = [
  { operation: 'payout', fault: 'timeout' },
  { operation: 'payout', fault: 'lost-answer' },
  { operation: 'payout-commit', fault: 'outage' },
  { operation: 'payout-commit', fault: 'timeout' },
];

for (const lasting of LASTING) {
  const { operation, fault } = lasting;
  test(`${operation}: after a lasting ${fault} no money is given back, and the withdrawal continues automatically`, async (t) => {
    await assertCarriedOn(t, lasting);
  });
}

test('webhooks: a refresh makes up for a dropped webhook, and a forged one is refused', async (t) => {
  const fixture = await openSharedWithdrawals(t);
  const { arm, aWithdrawal, commit, move, get, refresh, balance, assertSound } = fixture;
  for (const fault of ['drop', 'bad-signature']) {
    const { id, userId } = await aWithdrawal();
    await commit(id);
    arm({ operation: 'webhook', fault, match: id });
    await move(id, 'complete');
    assert.equal((await get(id)).status, 'WITHDRAWAL_COMMITTED', fault);
    await refresh(id);
    assert.equal(await balance(userId), PAID, fault);
  }
  await assertSound();
});

test('webhooks: duplicate, late and reordered webhooks have the same result, in the native spelling', async (t) => {
  await assertWebhooksEndTheSame(t, 'native');
});

test('webhooks: a webhook that did not reach the server is sent again and accepted', async (t) => {
  const fixture = await openSharedWithdrawals(t, { movesClock: true });
  const { app, aWithdrawal, commit, move, listenAt, control, balance, assertSound } = fixture;
  const { id, userId } = await aWithdrawal();
  await commit(id);
  listenAt({ ...app, url: 'http://127.0.0.1:9' });
  await move(id, 'complete');
  listenAt(app);
  assert.equal(await balance(userId), HELD);
  await control('POST /clock/advance', { seconds: 10 });
  assert.equal(await balance(userId), PAID);
  await assertSound();
});
