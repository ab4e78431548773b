// The faults and the clock of the sandbox by way of the API, by status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ESCROW_EVENT_TYPES } from '@holdfast/contract/api/webhooks.ts';
import { PAYIN_DECISIONS, PAYOUT_DECISIONS, SANDBOX_FAULTS, SANDBOX_OPERATIONS } from '@holdfast/contract/sandbox.ts';
import { ESCROW_EVENTS } from '../../sandbox/src/escrow-provider/webhook-truth.ts';
import { FAULTS, OPERATIONS } from '../../sandbox/src/faults-table.ts';
import { PAYIN_MOVES, PAYOUT_MOVES } from '../../sandbox/src/payment-provider/moves.ts';
import { startApp } from '../support/app.ts';
import { openSandboxRoutes, sandboxRoutesIn } from './sandbox-fixture.ts';

test('201 arms a fault that then strikes, 200 lists it, and 200 disarms all', async (t) => {
  const { callSandbox, app, anOrder } = await openSandboxRoutes(t);
  const order = await anOrder({ at: 'FUNDS_RESERVED' });
  const asked = { operation: 'deploy', fault: 'refusal', match: order.id };
  const armed = await callSandbox('POST /sandbox/faults', asked);
  assert.deepEqual(armed, { id: armed.id, ...asked, count: 1, delayMs: null });
  // An earlier test of this process may have left one armed for its own order.
  const ours = (faults: { match: string | null }[]) => faults.filter(({ match }) => match === order.id);
  const listed = await callSandbox('GET /sandbox/faults');
  assert.deepEqual(ours(listed.faults), [armed]);
  assert.ok(listed.operations.fund.includes('lost-answer'));
  assert.ok((await app.call(`POST /orders/${order.id}/escrow`)).status >= 400);
  assert.deepEqual(ours((await callSandbox('GET /sandbox/faults')).faults), []);

  await callSandbox('POST /sandbox/faults', { operation: 'webhook', fault: 'late', delayMs: 500, count: 3 });
  assert.deepEqual(await callSandbox('DELETE /sandbox/faults'), { faults: [] });
  assert.deepEqual((await callSandbox('GET /sandbox/faults')).faults, []);
});

test('400 VALIDATION_ERROR for names that are none, and with its sentence for what the sandbox refuses', async (t) => {
  const { refused } = await openSandboxRoutes(t);
  for (const body of [{}, { operation: 'fly', fault: 'timeout' }, { operation: 'fund', fault: 'timeout', count: 0 }]) {
    assert.equal((await refused('POST /sandbox/faults', { body })).code, '400 VALIDATION_ERROR');
  }
  const { code, details } = await refused('POST /sandbox/faults', { body: { operation: 'fund', fault: 'drop' } });
  assert.equal(code, '400 VALIDATION_ERROR');
  assert.match(details.validationErrors[0], /is not supported by "fund"/);
});

test('200 moves the clock forward, and 400 refuses to move it back', async (t) => {
  const { callSandbox, refused } = await sandboxRoutesIn(await startApp(t, { sandbox: true }));
  const before = Date.parse((await callSandbox('GET /sandbox/state')).time);
  const { time } = await callSandbox('POST /sandbox/clock/advance', { seconds: 86_400 });
  assert.ok(Date.parse(time) - before >= 86_400_000);
  const back = await refused('POST /sandbox/clock/advance', { body: { seconds: -1 } });
  assert.equal(back.code, '400 VALIDATION_ERROR');
});

test('the API knows just the operations, faults, decisions and events that the simulators know', () => {
  assert.deepEqual(SANDBOX_OPERATIONS.toSorted(), Object.keys(OPERATIONS).toSorted());
  assert.deepEqual(SANDBOX_FAULTS.toSorted(), [...new Set(FAULTS)].sort());
  assert.deepEqual(PAYIN_DECISIONS.toSorted(), Object.keys(PAYIN_MOVES).toSorted());
  // Committing is the server's own move.
  assert.deepEqual([...PAYOUT_DECISIONS, 'commit'].toSorted(), Object.keys(PAYOUT_MOVES).toSorted());
  assert.deepEqual(ESCROW_EVENT_TYPES.toSorted(), ESCROW_EVENTS.toSorted());
});
