// The payment provider's webhooks: signed, in order, repeated until taken, and spoiled by faults on command.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  controlOf,
  openSandbox,
  payinBody,
  paymentOf,
  payoutBody,
  type Received,
  SECRET,
  startReceiver,
} from './payment-client.ts';

async function open(t: TestContext, spelling: 'native' | 'neutral' = 'native') {
  const receiver = await startReceiver(t);
  const sandbox = await openSandbox(t, { payment: { webhook: { url: receiver.url, secret: SECRET, spelling } } });
  const arm = (fault: string, more = {}) => sandbox.faults.arm({ operation: 'webhook', fault, ...more });
  return { sandbox, receiver, arm, api: paymentOf(sandbox.url), control: controlOf(sandbox.url) };
}

const types = (received: Received[]) => received.map(({ body }) => body.type);

test('a payin’s webhooks are signed, in order, and carry the whole payin', async (t) => {
  const { receiver, api, control } = await open(t);
  await api('POST /payins', payinBody('top_1'));
  await control('POST /payins/top_1/process');
  await control('POST /payins/top_1/confirm');
  assert.deepEqual(types(receiver.received), ['payin.created', 'payin.processing', 'payin.confirmed']);
  assert.ok(receiver.received.every(({ verified }) => verified));
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 3);
  assert.deepEqual(receiver.received[2]!.body.data, (await api('GET /payins/by-code/top_1')).body);
});

test('a payout’s webhooks tell of every step that control takes', async (t) => {
  const { receiver, api, control } = await open(t);
  await api('POST /payouts', payoutBody('wdr_1', { commit: true }));
  await control('POST /payouts/wdr_1/require-action');
  await control('POST /payouts/wdr_1/fail');
  assert.deepEqual(types(receiver.received), ['payout.created', 'payout.pending_user_action', 'payout.failed']);
  assert.equal(receiver.received[2]!.body.data.reasonCode, '415073');
});

test('the neutral spelling has the event id, its own names, a currency and reasons', async (t) => {
  const { receiver, api, control } = await open(t, 'neutral');
  await api('POST /payins', payinBody('top_1'));
  await control('POST /payins/top_1/confirm');
  await api('POST /payouts', payoutBody('wdr_1', { commit: true }));
  await control('POST /payouts/wdr_1/complete');
  const names = receiver.received.map(({ body }) => body.eventType);
  const wanted = ['payin.created', 'payin.succeeded', 'payout.created', 'payout.committed', 'payout.completed'];
  assert.deepEqual(names, wanted);
  const { id, body } = receiver.received[1]!;
  assert.equal(body.eventId, id);
  assert.ok(Date.parse(body.occurredAt) > 0);
  const { code, amount, currency, status, reasonCode, reasonDescription } = body.data;
  assert.deepEqual([code, amount, currency, status], ['top_1', 25.5, 'USD', 'CONFIRMED']);
  assert.deepEqual([reasonCode, reasonDescription], [null, null]);
});

test('what is not taken is sent again with pauses on the simulators’ clock, with the same id', async (t) => {
  const { sandbox, receiver, api, control } = await open(t);
  receiver.answerWith(500, 503);
  await api('POST /payins', payinBody('top_1'));
  await receiver.count(1);
  await control('POST /clock/advance', { seconds: 4 });
  assert.equal(receiver.received.length, 1);
  await control('POST /clock/advance', { seconds: 2 });
  assert.equal(receiver.received.length, 2);
  await control('POST /clock/advance', { seconds: 5 * 60 + 1 });
  assert.equal(receiver.received.length, 3);
  assert.equal(new Set(receiver.received.map(({ id }) => id)).size, 1);
  await control('POST /clock/advance', { seconds: 24 * 60 * 60 });
  assert.equal(receiver.received.length, 3);
  const [webhook] = sandbox.describe().webhooks as [{ status: string; attempts: { outcome: unknown }[] }];
  assert.equal(webhook.status, 'delivered');
  assert.deepEqual(
    webhook.attempts.map(({ outcome }) => outcome),
    [{ status: 500 }, { status: 503 }, { status: 200 }],
  );
});

test('after eight attempts the simulator gives up', async (t) => {
  const { sandbox, receiver, api, control } = await open(t);
  receiver.answerWith(...Array.from({ length: 20 }, () => 401));
  await api('POST /payins', payinBody('top_1'));
  await control('POST /clock/advance', { seconds: 3 * 24 * 60 * 60 });
  assert.equal(receiver.received.length, 8);
  const [webhook] = sandbox.describe().webhooks as [{ status: string }];
  assert.equal(webhook.status, 'given-up');
});

test('a webhook is signed with real time, so that a moved clock does not make it look old', async (t) => {
  const { receiver, api, control } = await open(t);
  await control('POST /clock/advance', { seconds: 30 * 24 * 60 * 60 });
  await api('POST /payins', payinBody('top_1'));
  const [webhook] = await receiver.count(1);
  assert.equal(webhook!.verified, true);
  assert.ok(Math.abs(webhook!.at - Date.now() / 1000) < 60);
});

test('without a receiver nothing is sent, and one can be named later', async (t) => {
  const sandbox = await openSandbox(t);
  const api = paymentOf(sandbox.url);
  const control = controlOf(sandbox.url);
  await api('POST /payins', payinBody('top_1'));
  await control('POST /payins/top_1/process');
  const receiver = await startReceiver(t);
  sandbox.setWebhook({ url: receiver.url, secret: SECRET });
  await control('POST /payins/top_1/confirm');
  assert.deepEqual(types(receiver.received), ['payin.confirmed']);
  const statuses = (sandbox.describe().webhooks as { status: string }[]).map(({ status }) => status);
  assert.deepEqual(statuses, ['no-receiver', 'no-receiver', 'delivered']);
});

test('drop: the webhook never comes, and the payin has moved all the same', async (t) => {
  const { receiver, arm, api, control } = await open(t);
  await api('POST /payins', payinBody('top_1'));
  await receiver.count(1);
  arm('drop', { match: 'top_1' });
  await control('POST /payins/top_1/confirm');
  await control('POST /clock/advance', { seconds: 24 * 60 * 60 });
  assert.deepEqual(types(receiver.received), ['payin.created']);
  assert.equal((await api('GET /payins/by-code/top_1')).body.status, 'CONFIRMED');
});

test('duplicate: the same webhook comes twice with the same id', async (t) => {
  const { receiver, arm, api, control } = await open(t);
  await api('POST /payins', payinBody('top_1'));
  await receiver.count(1);
  arm('duplicate');
  await control('POST /payins/top_1/confirm');
  const [, first, second] = await receiver.count(3);
  assert.deepEqual([first!.id, first!.body], [second!.id, second!.body]);
  assert.ok(first!.verified && second!.verified);
});

test('late: the webhook comes when the clock has passed the delay', async (t) => {
  const { receiver, arm, api, control } = await open(t);
  arm('late', { delayMs: 90_000, match: 'payin.confirmed' });
  await api('POST /payins', payinBody('top_1'));
  await receiver.count(1);
  await control('POST /payins/top_1/confirm');
  await control('POST /clock/advance', { seconds: 80 });
  assert.equal(receiver.received.length, 1);
  await control('POST /clock/advance', { seconds: 20 });
  assert.deepEqual(types(receiver.received), ['payin.created', 'payin.confirmed']);
});

test('reorder: the next webhook overtakes it', async (t) => {
  const { receiver, arm, api, control } = await open(t);
  await api('POST /payins', payinBody('top_1'));
  await receiver.count(1);
  arm('reorder');
  await control('POST /payins/top_1/process');
  assert.equal(receiver.received.length, 1);
  await control('POST /payins/top_1/confirm');
  assert.deepEqual(types(await receiver.count(3)), ['payin.created', 'payin.confirmed', 'payin.processing']);
});

test('reorder: with nothing to overtake it, it comes after a minute of the clock', async (t) => {
  const { receiver, arm, api, control } = await open(t);
  arm('reorder');
  await api('POST /payins', payinBody('top_1'));
  await control('POST /clock/advance', { seconds: 61 });
  assert.deepEqual(types(receiver.received), ['payin.created']);
});

test('bad-signature: the webhook comes once, and its signature does not hold', async (t) => {
  const { receiver, arm, api, control } = await open(t);
  arm('bad-signature');
  receiver.answerWith(401);
  await api('POST /payins', payinBody('top_1'));
  await control('POST /clock/advance', { seconds: 24 * 60 * 60 });
  assert.equal(receiver.received.length, 1);
  assert.equal(receiver.received[0]!.verified, false);
  await control('POST /payins/top_1/confirm');
  assert.equal(receiver.received[1]!.verified, true);
});
