// A POST whose answer is lost has one effect, whichever way the client finds out what became of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aUser, failureOf, openFixture, openOwnFixture, parties } from './fixture.ts';
import { type Line, passedOf } from './line.ts';

const keysOf = (line: Line, on: string): unknown[] =>
  passedOf(line, on).map(({ headers }) => headers['idempotency-key']);

test('a credit whose answers are lost and cut is repeated with the same key and credited once', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const id = await aUser(client);
  line.play('/balance/credit', 'lose-answer', 'cut-answer', 'lose-request');
  const { available } = await shaky.balances.credit(id, { amount: '7.00' });
  assert.equal(available, '7.00');
  const keys = keysOf(line, '/credit');
  assert.equal(keys.length, 4);
  assert.equal(new Set(keys).size, 1);
  assert.match(String(keys[0]), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal((await client.balances.get(id)).available, '7.00');
  await shaky.balances.credit(id, { amount: '7.00' });
  assert.notEqual(keysOf(line, '/credit').at(-1), keys[0]);
});

test('a page that follows a lost answer does not make it certain that nothing was done', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const id = await aUser(client);
  line.play('/balance/credit', 'lose-answer', {
    status: 404,
    headers: { 'content-type': 'text/html' },
    body: '<h1>404</h1>',
  });
  const error = await failureOf(shaky.balances.credit(id, { amount: '7.00' }));
  assert.deepEqual([error.code, error.status, error.outcomeUnknown], ['UNEXPECTED_ANSWER', 404, true]);
  assert.equal((await client.balances.get(id)).available, '7.00');
});

test('a user who was created under a lost answer is created once', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  line.play('POST /api/v1/users', 'lose-answer');
  const user = await shaky.users.create({ externalUserId: 'ada' });
  const everybody = await client.users.list().toArray({ max: 10 });
  assert.deepEqual(
    everybody.map(({ id }) => id),
    [user.id],
  );
});

test('an order with a reference is found again after its answer was lost', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const input = { ...(await parties(client)), amount: '100', clientOrderRef: 'basket-1' };
  line.play('POST /api/v1/orders', 'lose-answer');
  const order = await shaky.orders.create(input);
  assert.equal(order.clientOrderRef, 'basket-1');
  assert.equal(passedOf(line, 'POST /api/v1/orders').length, 2);
  assert.equal((await client.orders.list().toArray({ max: 10 })).length, 1);
});

test('a reference that another order has is a refusal, with and without a lost request', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const input = { ...(await parties(client)), clientOrderRef: 'basket-1' };
  const { id } = await client.orders.create(input);
  const other = { ...input, amount: '99.00' };
  const straight = await failureOf(shaky.orders.create(other));
  line.play('POST /api/v1/orders', 'lose-request');
  const repeated = await failureOf(shaky.orders.create(other));
  for (const error of [straight, repeated]) {
    assert.ok(error.code === 'ORDER_ALREADY_EXISTS' && error.details.orderId === id);
    assert.equal(error.outcomeUnknown, false);
  }
});

test('an order without a reference is not created a second time: the client says that it does not know', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const input = await parties(client);
  line.play('POST /api/v1/orders', 'lose-answer');
  const error = await failureOf(shaky.orders.create(input));
  assert.deepEqual([error.code, error.outcomeUnknown], ['CONNECTION_FAILED', true]);
  assert.equal(passedOf(line, 'POST /api/v1/orders').length, 1);
  assert.equal((await client.orders.list().toArray({ max: 10 })).length, 1);
});

test('every step of an order survives a lost answer with one effect', async (t) => {
  const { line, shaky, client } = await openFixture(t, { sandbox: true });
  const { orders, disputes } = shaky;
  const milestones = [{ ref: 'all', title: 'All of it', amount: '100.00' }];
  const who = await parties(client, '1000.00');
  const make = () => client.orders.create({ ...who, milestones });
  const released = await make();
  const refunded = await make();
  const disputed = await make();
  const canceled = await make();
  const spoil = (step: string) => line.play(step, 'lose-answer');

  for (const step of ['reserve', 'escrow', 'escrow/fund']) spoil(`${released.id}/${step}`);
  assert.equal((await orders.reserve(released.id)).status, 'FUNDS_RESERVED');
  assert.equal((await orders.createEscrow(released.id)).status, 'ESCROW_FUNDING');
  assert.equal((await orders.fundEscrow(released.id)).status, 'IN_PROGRESS');
  for (const { id } of [refunded, disputed]) {
    for (const step of ['reserve', 'createEscrow', 'fundEscrow'] as const) await client.orders[step](id);
  }
  assert.equal((await client.balances.get(who.buyerId)).available, '700.00');

  spoil('/cancel');
  assert.equal((await orders.cancel(canceled.id)).finalStatus, 'CANCELED');
  spoil('/complete');
  const [milestone] = (await orders.completeMilestone(released.id, 'all')).milestones;
  assert.equal(milestone!.status, 'COMPLETED');
  spoil('/resolution/release');
  assert.equal((await orders.release(released.id)).finalStatus, 'RELEASED');
  spoil('/resolution/refund');
  assert.equal((await orders.refund(refunded.id, { reason: 'Too late' })).finalStatus, 'REFUNDED');
  spoil('/resolution/dispute');
  const dispute = await orders.dispute(disputed.id, { openedBy: 'BUYER', reason: 'NOT_DELIVERED' });
  assert.deepEqual([dispute.status, dispute.order.status], ['OPEN', 'DISPUTED']);
  spoil('/assign');
  assert.equal((await disputes.assign(dispute.id, { assignedTo: 'agent-7' })).status, 'UNDER_REVIEW');
  spoil('/resolve');
  const resolved = await disputes.resolve(dispute.id, { decision: 'FULL_REFUND', note: 'Seen.' });
  assert.deepEqual([resolved.status, resolved.resolutionDecision], ['RESOLVED', 'FULL_REFUND']);

  assert.equal((await client.balances.get(who.buyerId)).available, '900.00');
  assert.equal((await client.balances.get(who.sellerId)).available, '95.00');
  assert.equal(line.passed.filter(({ trick }) => trick === 'lose-answer').length, 10);
  assert.equal(
    (await client.audit.proof()).checks.every(({ holds }) => holds),
    true,
  );
});

test('a step that was done under a lost answer is known as done, although others have gone on with the order', async (t) => {
  const { line, shaky, client } = await openFixture(t, { sandbox: true });
  const { id } = await client.orders.create(await parties(client));
  const goOn = (step: string, next: () => Promise<unknown>) => {
    line.play(step, 'lose-answer');
    line.onTrick = next;
  };
  goOn('/reserve', () => client.orders.createEscrow(id));
  assert.equal((await shaky.orders.reserve(id)).status, 'ESCROW_FUNDING');
  goOn('/escrow/fund', () => client.orders.dispute(id, { openedBy: 'BUYER', reason: 'OTHER' }));
  assert.equal((await shaky.orders.fundEscrow(id)).status, 'DISPUTED');
  const other = await client.orders.create(await parties(client));
  await client.orders.reserve(other.id);
  goOn('/escrow', () => client.orders.fundEscrow(other.id));
  assert.equal((await shaky.orders.createEscrow(other.id)).status, 'IN_PROGRESS');
});

test('a dispute that another caller split differently is not reported as a success', async (t) => {
  const { line, shaky, client } = await openFixture(t, { sandbox: true });
  const { id } = await client.orders.create(await parties(client));
  for (const step of ['reserve', 'createEscrow', 'fundEscrow'] as const) await client.orders[step](id);
  const dispute = await client.orders.dispute(id, { openedBy: 'BUYER', reason: 'OTHER' });
  await client.disputes.assign(dispute.id, { assignedTo: 'agent-7' });
  const split = (releaseAmount: string, refundAmount: string) =>
    ({ decision: 'SPLIT', releaseAmount, refundAmount, note: 'Seen.' }) as const;
  line.play('/resolve', { status: 502 });
  line.onTrick = () => client.disputes.resolve(dispute.id, split('10.00', '90.00'));
  const error = await failureOf(shaky.disputes.resolve(dispute.id, split('60', '40')));
  assert.deepEqual([error.code, error.outcomeUnknown], ['INVALID_STATE', false]);
  assert.equal((await client.disputes.get(dispute.id)).sellerAmount, '10.00');
});

test('a step that was never done is refused after a lost request as it would have been', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const order = await client.orders.create({ ...(await parties(client, '10.00')) });
  line.play('/reserve', 'lose-request');
  const error = await failureOf(shaky.orders.reserve(order.id));
  assert.ok(error.code === 'INSUFFICIENT_FUNDS' && error.details.available === '10.00');
  assert.equal(error.outcomeUnknown, false);
});

test('when the outside system is slow the client waits for the order and answers what became of it', async (t) => {
  const { line, shaky, client } = await openOwnFixture(t, { sandbox: true, env: { PROVIDER_TIMEOUT_MS: '1500' } });
  const order = await client.orders.create(await parties(client));
  await client.orders.reserve(order.id);
  await client.sandbox.armFault({ operation: 'deploy', fault: 'timeout' });
  assert.equal((await shaky.orders.createEscrow(order.id)).status, 'ESCROW_FUNDING');
  assert.equal(passedOf(line, 'POST').length, 1);
  assert.ok(passedOf(line, `GET /api/v1/orders/${order.id}`).length > 0);
});

test('a service that became busy in the middle of the work is asked what it has done', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const order = await client.orders.create(await parties(client));
  const error = { code: 'SERVICE_UNAVAILABLE', message: 'Busy.', details: { retryAfter: 0 } };
  line.play('/reserve', {
    status: 503,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ error }),
  });
  line.onTrick = () => client.orders.reserve(order.id);
  assert.equal((await shaky.orders.reserve(order.id)).status, 'FUNDS_RESERVED');
  assert.equal(passedOf(line, '/reserve').length, 2);
  assert.equal((await client.balances.get(order.buyerId)).reserved, '100.00');
});

test('whatever fails after an attempt that may have been done says that it is not known', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const id = await aUser(client);
  line.play('/balance/credit', 'lose-answer', { status: 401 }, 'lose-request');
  const error = await failureOf(shaky.balances.credit(id, { amount: '7.00' }));
  assert.deepEqual([error.status, error.outcomeUnknown], [401, true]);
  const again = await shaky.balances.credit(id, { amount: '7.00' }, { idempotencyKey: error.idempotencyKey! });
  assert.equal(again.available, '7.00');
  const order = await client.orders.create(await parties(client));
  line.play('/reserve', 'lose-answer');
  line.play(`GET /api/v1/orders/${order.id}`, { status: 403 });
  const blind = await failureOf(shaky.orders.reserve(order.id));
  assert.deepEqual([blind.status, blind.outcomeUnknown], [403, true]);
});

test('while the first attempt is still being worked on its answer is asked for, beyond the usual repeats', async (t) => {
  const { line, shaky, client } = await openFixture(t);
  const id = await aUser(client);
  const body = JSON.stringify({
    error: { code: 'IDEMPOTENCY_KEY_IN_PROGRESS', message: 'Still running.', details: {} },
  });
  const running = { status: 409, headers: { 'content-type': 'application/json' }, body };
  line.play('/balance/credit', 'lose-answer', running, running, running, running, running);
  const { available } = await shaky.balances.credit(id, { amount: '7.00' }, { maxRetries: 1 });
  assert.equal(available, '7.00');
  assert.equal(passedOf(line, '/credit').length, 7);
  line.play('/balance/credit', running);
  const error = await failureOf(shaky.balances.credit(id, { amount: '1.00' }, { maxRetries: 0 }));
  assert.deepEqual([error.code, error.outcomeUnknown], ['IDEMPOTENCY_KEY_IN_PROGRESS', true]);
});
