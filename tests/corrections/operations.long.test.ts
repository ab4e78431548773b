// The corrections retry-operation and abandon-operation: an operation that waits for an outside system is tried again at once, or is given
// up while nothing of it is on its way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { corrections } from './correct.ts';

const ABANDON = 'abandon-operation';
const RETRY = 'retry-operation';

type Opened = Awaited<ReturnType<typeof openSharedOrders>>;

/** An order whose request got no answer from the provider; its operation waits. */
const stuck = async (
  fixture: Opened,
  { at, call, fault }: { at: string; call: string; fault: [operation: string, fault: string] },
) => {
  const { app, anOrder, parties } = fixture;
  const who = await parties();
  const { id } = await anOrder({ at: at as 'FUNDS_RESERVED', between: who });
  await fixture.fault(fault[0], fault[1], { count: 10_000, match: id });
  const body = call.endsWith('refund') ? { body: { reason: 'never sent' } } : {};
  const answer = await app.call(`POST /orders/${id}/${call}`, body);
  assert.equal(codeOf(answer), '504 PROVIDER_TIMEOUT');
  const { operation } = await fixture.get(id);
  return { id, who, operationId: operation.id as string };
};

for (const { at, call, fault, back } of [
  { at: 'FUNDS_RESERVED', call: 'escrow', fault: ['deploy', 'outage'], back: 'FUNDS_RESERVED' },
  { at: 'ESCROW_FUNDING', call: 'escrow/fund', fault: ['fund', 'outage'], back: 'FUNDS_RESERVED' },
  { at: 'IN_PROGRESS', call: 'resolution/release', fault: ['release', 'outage'], back: 'IN_PROGRESS' },
  { at: 'IN_PROGRESS', call: 'resolution/refund', fault: ['resolve', 'outage'], back: 'IN_PROGRESS' },
] as const) {
  test(`${call}: the operation is given up, and its order is ${back} again`, async (t) => {
    const fixture = await openSharedOrders(t);
    const { app, get, balance, assertSound } = fixture;
    t.after(() => fixture.simulator('DELETE /faults'));
    const { make, refuse } = corrections(app);
    const { id, who, operationId } = await stuck(fixture, { at, call, fault: [...fault] });
    const before = await balance(who.buyer);
    const made = await make({ kind: ABANDON, resourceId: operationId });
    assert.deepEqual([made.orderId, made.amount], [id, null]);
    assert.deepEqual([made.before.state, made.after.state, made.after.orderStatus], ['RUNNING', 'FAILED', back]);
    assert.equal(made.before.openTransaction, null);
    const order = await get(id);
    assert.deepEqual([order.status, order.operation], [back, null]);
    assert.deepEqual(await balance(who.buyer), before);
    await refuse({ kind: ABANDON, resourceId: operationId }, /Make the request again/);

    // The way is free again: the same request succeeds once the provider answers.
    await fixture.simulator('DELETE /faults');
    const body = call.endsWith('refund') ? { body: { reason: 'never sent' } } : {};
    if (call === 'escrow/fund') await fixture.done(`POST /orders/${id}/escrow`);
    const again = await app.call(`POST /orders/${id}/${call}`, body);
    assert.ok([200, 201].includes(again.status), again.text);
    await assertSound();
  });
}

test('a call that is signed and open is never given up, and the operation ends by itself', async (t) => {
  const fixture = await openSharedOrders(t);
  t.after(() => fixture.simulator('DELETE /faults'));
  const { send, refuse } = corrections(fixture.app);
  const { id, operationId } = await stuck(fixture, {
    at: 'IN_PROGRESS',
    call: 'resolution/release',
    fault: ['send-transaction', 'timeout'],
  });
  const facts = await refuse({ kind: ABANDON, resourceId: operationId }, /signed call is open/);
  assert.match(facts.openTransaction, /^[0-9a-f]{64}$/);
  await fixture.simulator('DELETE /faults');
  assert.equal((await send({ kind: RETRY, resourceId: operationId })).status, 201);
  await fixture.atRest();
  assert.equal((await fixture.get(id)).finalStatus, 'RELEASED');
  await refuse({ kind: ABANDON, resourceId: operationId }, /has succeeded/);
  await refuse({ kind: RETRY, resourceId: operationId }, /has succeeded/);
  await fixture.assertSound();
});

test('an operation is retried at once, and not at its next automatic attempt', async (t) => {
  const fixture = await openSharedOrders(t);
  t.after(() => fixture.simulator('DELETE /faults'));
  const { send } = corrections(fixture.app);
  const { id, operationId } = await stuck(fixture, {
    at: 'FUNDS_RESERVED',
    call: 'escrow',
    fault: ['deploy', 'outage'],
  });
  await fixture.simulator('DELETE /faults');
  const { body } = await send({ kind: RETRY, resourceId: operationId });
  const made = body.data;
  assert.deepEqual(
    [made.before.operation, made.before.state, made.after.state],
    ['create-escrow', 'RUNNING', 'RUNNING'],
  );
  assert.ok(made.after.nextAttemptAt < made.before.nextAttemptAt);
  await fixture.atRest();
  assert.equal((await fixture.get(id)).status, 'ESCROW_FUNDING');
  await fixture.assertSound();
});

test('of two that give up and one that retries at the same time, each has one effect', async (t) => {
  const fixture = await openSharedOrders(t);
  t.after(() => fixture.simulator('DELETE /faults'));
  const { send } = corrections(fixture.app);
  for (let round = 0; round < 3; round++) {
    const { id, operationId } = await stuck(fixture, {
      at: 'FUNDS_RESERVED',
      call: 'escrow',
      fault: ['deploy', 'outage'],
    });
    await fixture.simulator('DELETE /faults');
    const answers = await Promise.all([
      send({ kind: RETRY, resourceId: operationId }),
      send({ kind: ABANDON, resourceId: operationId }),
      send({ kind: ABANDON, resourceId: operationId }),
    ]);
    const [, first, second] = answers.map(({ status }) => status);
    await fixture.atRest();
    const given = [first, second].filter((status) => status === 201).length;
    const { status } = await fixture.get(id);
    assert.deepEqual([given, status], given === 1 ? [1, 'FUNDS_RESERVED'] : [0, 'ESCROW_FUNDING']);
  }
  await fixture.assertSound();
});

test('404 OPERATION_NOT_FOUND for none, and for one of another marketplace', async (t) => {
  const fixture = await openSharedOrders(t);
  const { send } = corrections(fixture.app);
  for (const kind of [ABANDON, RETRY]) {
    assert.equal(codeOf(await send({ kind, resourceId: 'opn_none' })), '404 OPERATION_NOT_FOUND');
  }
});
