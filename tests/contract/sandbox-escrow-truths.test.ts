// The webhooks of the escrow provider's simulator after a contract changed without the server, and the answers of its control
// routes without a receiver of webhooks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/src/sandbox.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openSharedWebhooks } from './webhook-escrow-fixture.ts';

test('the event of a milestone that the seller marked in the contract has its reference, and completes it', async (t) => {
  const { app, anOrder, act, get } = await openSharedWebhooks(t);
  const order = await anOrder({ at: 'IN_PROGRESS', milestones: ['40.00', '60.00'] });
  const tell = (milestoneRef: string) =>
    app.call('POST /sandbox/escrow-events', {
      body: { type: 'escrow.milestone_completed', orderId: order.id, milestoneRef },
    });
  await act(order.id, 'seller', { kind: 'change-status', milestone: 1, status: 'done' });
  assert.equal((await tell('m1')).status, 400);
  const told = await tell('m2');
  assert.deepEqual([told.status, told.body.data.processed], [200, true], told.text);
  const { milestones } = await get(order.id);
  assert.deepEqual(
    milestones.map(({ status }: { status: string }) => status),
    ['OPEN', 'COMPLETED'],
  );
});

test('a decision on the ledger for the buyer is sent as a refund and never as a release', async (t) => {
  const { app, anOrder, act, resolveOutside, get } = await openSharedWebhooks(t);
  const order = await anOrder({ at: 'IN_PROGRESS' });
  const tell = (type: string, orderId = order.id) =>
    app.call('POST /sandbox/escrow-events', { body: { type, orderId } });
  await resolveOutside(order, 'buyer');
  assert.equal((await tell('escrow.released')).status, 400);
  const told = await tell('escrow.refunded');
  assert.deepEqual([told.status, told.body.data.processed], [200, true], told.text);
  assert.deepEqual([(await get(order.id)).finalStatus], ['REFUNDED']);

  const other = await anOrder({ at: 'IN_PROGRESS' });
  await act(other.id, 'buyer', { kind: 'dispute' });
  assert.equal((await tell('escrow.disputed', other.id)).status, 200);
});

test('control refuses a webhook without a receiver, without an order, or of an unknown type', async (t) => {
  const sandbox = await startSandbox({ port: 0 });
  afterwards(t, sandbox.close);
  const ask = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${sandbox.urls.control}/escrow-events`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return `${answer.status} ${((await answer.json()) as { error: string }).error}`;
  };
  const telling = { type: 'escrow.created', orderId: 'ord_1' };
  assert.match(await ask(telling), /^409 No receiver of escrow webhooks/);
  sandbox.setEscrowWebhook({ url: 'http://127.0.0.1:1', secret: 'a secret' });
  assert.match(await ask(telling), /^404 There is no contract for the order "ord_1"/);
  assert.match(await ask({ ...telling, type: 'escrow.lost' }), /^400 "type" must be one of/);
  assert.match(await ask({ ...telling, amount: '1' }), /^400 Unknown field "amount"/);
});
