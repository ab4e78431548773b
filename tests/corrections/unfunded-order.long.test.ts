// Orders without a whole funding: money of outsiders, and a contract that cannot be read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSharedWebhooks, openWebhooks } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import { corrections } from './correct.ts';

const KIND = 'cancel-unfunded-order';

test('money of an outsider stays in the contract when the caller names it', async (t) => {
  const { app, anOrder, payIn, get, assertSound } = await openSharedWebhooks(t);
  const { make, refuse } = corrections(app);
  const order = await anOrder({ at: 'ESCROW_FUNDING' });
  await payIn(order, '5.00');
  await refuse({ kind: KIND, resourceId: order.id }, /"amount": "5.00"/);
  await refuse({ kind: KIND, resourceId: order.id, amount: '6.00' }, /"amount": "5.00"/);
  await make({ kind: KIND, resourceId: order.id, amount: '5.00' });
  assert.equal((await get(order.id)).finalStatus, 'CANCELED');
  await assertSound();
});

test('less than a cent of an outsider does not stop it', async (t) => {
  const { app, anOrder, payIn, get, assertSound } = await openSharedWebhooks(t);
  const { make } = corrections(app);
  const order = await anOrder({ at: 'ESCROW_FUNDING' });
  await payIn(order, '0.0000001');
  await make({ kind: KIND, resourceId: order.id });
  assert.equal((await get(order.id)).finalStatus, 'CANCELED');
  await assertSound();
});

test('while the contract cannot be read, nothing is decided', async (t) => {
  const { app, anOrder, fault, get, simulator } = await openWebhooks(t, { PROVIDER_TIMEOUT_MS: '1000' });
  const { send, make } = corrections(app);
  const { id } = await anOrder({ at: 'ESCROW_FUNDING' });
  for (const [operation, name] of [
    ['get-escrow', 'outage'],
    ['contract-get', 'outage'],
    ['get-escrow', 'wrong-amount'],
  ] as const) {
    await fault(operation, name, { count: 50 });
    assert.equal(codeOf(await send({ kind: KIND, resourceId: id })), '504 PROVIDER_TIMEOUT', `${operation} ${name}`);
    assert.equal((await get(id)).status, 'ESCROW_FUNDING');
    await simulator('DELETE /faults');
  }
  await make({ kind: KIND, resourceId: id });
});
