// A call that waits ends with the change it waits for: found on the stream, without a gap between the first read and the stream, and
// without a stream too. It ends with an error that shows the last state when the change can no longer come, or takes too long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Holdfast } from '@holdfast/sdk';
import { until } from '../../tools/until.ts';
import { aUser, type Fixture, failureOf, openFixture, parties } from './fixture.ts';
import { passedOf } from './line.ts';

const STREAM = 'GET /api/v1/events';

const aTopup = async ({ client }: Fixture): Promise<string> => {
  const { id } = await client.topups.create({ userId: await aUser(client), amount: '25.00' });
  return id;
};

/** A client that does something right before its first request to the stream: after the first read, before the subscription. */
const withGap = (fixture: Fixture, work: () => Promise<unknown>) => {
  const streams: AbortSignal[] = [];
  const send: typeof fetch = async (input, init) => {
    if (String(input).includes('/events') && streams.push(init!.signal!) === 1) await work();
    return fetch(input, init);
  };
  return { client: fixture.over({ fetch: send }), streams };
};

test('a change between the first read and the stream is found, and the stream is closed afterwards', async (t) => {
  const fixture = await openFixture(t, { sandbox: true });
  const id = await aTopup(fixture);
  const { topups, sandbox } = fixture.client;
  const gap = withGap(fixture, async () => {
    await sandbox.decidePayin(id, 'confirm');
    await topups.refresh(id);
  });
  const paid = await gap.client.topups.waitFor(id);
  assert.equal(paid.status, 'TOPUP_SUCCEEDED');
  assert.ok(passedOf(fixture.line, `GET /api/v1/topups/${id}`).length >= 2, 'read before and after');
  assert.deepEqual(
    gap.streams.map(({ aborted }) => aborted),
    [true],
  );
});

test('waiting calls share one stream, and an event ends the wait of its own record only', async (t) => {
  const fixture = await openFixture(t, { sandbox: true });
  const { client, shaky, line } = fixture;
  const first = await aTopup(fixture);
  const second = await aTopup(fixture);
  const ended: string[] = [];
  // Shorter than the interval of reads beside a live stream: only the event can end the wait in time.
  const waits = [first, second].map((id) => shaky.topups.waitFor(id, { patienceMs: 9_000 }).then(() => ended.push(id)));
  const hasRead = (id: string) => passedOf(line, `GET /api/v1/topups/${id}`).length > 1;
  await until(() => passedOf(line, STREAM).length === 1 && hasRead(first) && hasRead(second), 'the stream is live');
  for (const id of [second, first]) {
    await client.sandbox.decidePayin(id, 'confirm');
    await client.topups.refresh(id);
    await waits[id === first ? 0 : 1];
  }
  assert.deepEqual(ended, [second, first]);
  assert.equal(passedOf(line, STREAM).length, 1);
});

test('a record that is there already needs no stream; a failed one says why and how it ended', async (t) => {
  const fixture = await openFixture(t, { sandbox: true });
  const { client, shaky, line } = fixture;
  const id = await aTopup(fixture);
  await client.topups.cancel(id, { reason: 'The payer left' });
  const error = await failureOf(shaky.topups.waitFor(id));
  assert.ok(error.code === 'ENDED_OTHERWISE');
  assert.match(error.message, new RegExp(`The top-up ${id} is TOPUP_CANCELED .*does not change any more`));
  assert.equal((error.details.last as { id: string }).id, id);
  assert.equal((await shaky.topups.waitFor(id, { until: 'ended' })).status, 'TOPUP_CANCELED');
  assert.equal(passedOf(line, STREAM).length, 0);
});

test('patience and the signal end the wait, with the last state and with the reason', async (t) => {
  const fixture = await openFixture(t, { sandbox: true });
  const id = await aTopup(fixture);
  const error = await failureOf(fixture.shaky.topups.waitFor(id, { patienceMs: 1_500 }));
  assert.ok(error.code === 'STILL_PENDING');
  assert.match(error.message, /is TOPUP_\w+ after \d+ ms.*wait again, or follow its events/);
  assert.ok(error.details.state?.startsWith('TOPUP_') && error.details.waitedMs >= 1_490);
  const enough = new AbortController();
  const waiting = fixture.shaky.topups.waitFor(id, { signal: enough.signal, patienceMs: Infinity });
  enough.abort(new Error('enough'));
  await assert.rejects(waiting, /^Error: enough$/);
  await assert.rejects(fixture.shaky.topups.waitFor(id, { patienceMs: 0 }), TypeError);
  await assert.rejects(fixture.shaky.topups.waitFor(id, { until: 'paid' as 'ended' }), /one of succeeded, ended/);
  const unknown = await failureOf(fixture.shaky.topups.waitFor('top_unknown'));
  assert.equal(unknown.code, 'TOPUP_NOT_FOUND');
});

test('without a stream the record is read at an interval', async (t) => {
  const fixture = await openFixture(t, { sandbox: true });
  const id = await aTopup(fixture);
  const refused = { error: { code: 'FORBIDDEN', message: 'No streams here.', details: {} } };
  fixture.line.play(STREAM, { status: 403, body: JSON.stringify(refused) });
  fixture.line.onTrick = async () => {
    await fixture.client.sandbox.decidePayin(id, 'confirm');
    await fixture.client.topups.refresh(id);
  };
  assert.equal((await fixture.shaky.topups.waitFor(id)).status, 'TOPUP_SUCCEEDED');
  assert.equal(passedOf(fixture.line, STREAM).length, 1);
});

test('orders, disputes, operations, withdrawals and approvals are waited for', async (t) => {
  const fixture = await openFixture(t, { sandbox: true });
  const { app, client, shaky } = fixture;
  const who = await parties(client);
  const { id } = await client.orders.create(who);
  const funded = shaky.orders.waitFor(id, { until: 'funded' });
  const busy = shaky.orders.waitFor(id, { until: ({ status }) => status !== 'ORDER_CREATED' });
  await client.orders.reserve(id);
  assert.notEqual((await busy).status, 'ORDER_CREATED');
  await client.orders.createEscrow(id);
  await client.orders.fundEscrow(id);
  assert.ok((await funded).escrow?.fundedAt);
  const dispute = await client.orders.dispute(id, { openedBy: 'BUYER', reason: 'OTHER' });
  const resolved = shaky.disputes.waitFor(dispute.id);
  const closed = shaky.orders.waitFor(id);
  await client.disputes.assign(dispute.id, { assignedTo: 'agent-1' });
  await client.disputes.resolve(dispute.id, { decision: 'FULL_REFUND' });
  assert.deepEqual([(await resolved).status, (await closed).finalStatus], ['RESOLVED', 'REFUNDED']);
  const [operation] = await client.operations.list({ orderId: id }).toArray({ max: 10 });
  assert.equal((await shaky.operations.waitFor(operation!.id)).state, 'DONE');
  const other = await failureOf(shaky.orders.waitFor(id, { until: 'released' }));
  assert.match(other.message, /is CLOSED: REFUNDED and does not change any more. The goal was: released/);

  const destination = { type: 'payment_account', email: 'ada@example.com' } as const;
  await client.approvals.setRules([{ action: 'balance.credit' }]);
  const asking = await failureOf(client.balances.credit(who.sellerId, { amount: '5.00' }));
  assert.ok(asking.code === 'APPROVAL_PENDING');
  const approved = shaky.approvals.waitFor(asking.details.approval.id);
  await new Holdfast({ url: app.url, apiKey: await app.key(['*']) }).approvals.approve(asking.details.approval.id);
  assert.equal((await approved).status, 'APPROVED');

  const withdrawal = await client.withdrawals.create({
    userId: who.buyerId,
    amount: '20.00',
    currency: 'USD',
    destination,
  });
  const paid = shaky.withdrawals.waitFor(withdrawal.id);
  await client.withdrawals.commit(withdrawal.id);
  await client.sandbox.decidePayout(withdrawal.id, 'complete');
  await client.withdrawals.refresh(withdrawal.id);
  assert.equal((await paid).status, 'WITHDRAWAL_COMPLETED');
});

test('a goal that does not exist is refused before a request, whatever its name is', async () => {
  const { orders } = new Holdfast({ url: 'http://127.0.0.1:1', apiKey: 'none', fetch: () => assert.fail('a request') });
  for (const until of ['done', 'constructor', 'toString', '__proto__']) {
    await assert.rejects(orders.waitFor('ord_1', { until: until as 'closed' }), TypeError, until);
  }
});
