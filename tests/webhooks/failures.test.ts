// What happens when an endpoint does not accept an event: it is tried again, later events of the resource wait, and other endpoints do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../tools/until.ts';
import { anEndpoint, openSending } from './fixture.ts';

const REFUSED = { status: 500, body: 'no' };
const OK = { status: 204 };

test('a refused event is tried again after five seconds, and later events of its resource wait for it', async (t) => {
  const app = await openSending(t);
  const { receiver, settled, read } = await anEndpoint(t, app, { events: ['balance.*'] });
  let refusals = 0;
  receiver.answer(() => (refusals++ === 0 ? REFUSED : OK));
  const one = await app.aUser({ available: '1.00' });
  const other = await app.aUser();
  await receiver.count(1);
  const first = receiver.received[0]!.event;
  const failed = await settled(first.eventId, 'PENDING');
  assert.equal(failed.attempts[0].error, 'The receiver answered 500.');
  assert.equal(failed.attempts[0].responseHead, 'no');
  assert.ok(Date.parse(failed.nextAttemptAt) - Date.parse(failed.updatedAt) === 5_000);
  for (const user of [one, other]) await app.call(`POST /users/${user}/balance/credit`, { body: { amount: '2.00' } });
  await receiver.count(4);
  const users = receiver.received.map(({ event }) => event.payload.userId);
  assert.deepEqual(users, [one, other, one, one], 'the other resource does not wait');
  const [, , again, later] = receiver.received.map(({ event }) => event);
  assert.equal(again.eventId, first.eventId);
  assert.ok(later.metadata.position > again.metadata.position);
  assert.equal((await settled(first.eventId, 'DELIVERED')).attemptCount, 2);
  const { status, health } = await read();
  assert.deepEqual([status, health.failingSince, health.pending, health.backlog], ['ACTIVE', null, 0, 0]);
});

test('410 disables the endpoint at once; enabled again, it continues where it stopped', async (t) => {
  const app = await openSending(t);
  const { id, receiver, read, deliveries } = await anEndpoint(t, app);
  receiver.answer({ status: 410 });
  await app.aUser();
  await until(async () => (await read()).status === 'DISABLED');
  assert.equal((await read()).disabledReason, 'GONE');
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['FAILED'],
  );
  const actions = await app.sql("select actor_id from audit_entries where action = 'WEBHOOK_ENDPOINT_DISABLED'");
  assert.deepEqual(actions, [{ actor_id: 'webhook-sender' }]);
  const second = await app.aUser();
  receiver.answer(OK);
  await app.call(`PATCH /webhook-endpoints/${id}`, { body: { enabled: true } });
  await receiver.count(2);
  assert.equal(receiver.received[1]!.event.payload.userId, second);
});

test('a receiver that asks for time with Retry-After gets it', async (t) => {
  const app = await openSending(t);
  const { receiver, settled } = await anEndpoint(t, app);
  receiver.answer({ status: 429, headers: { 'retry-after': '600' } });
  await app.aUser();
  await receiver.count(1);
  const waiting = await settled(receiver.received[0]!.event.eventId, 'PENDING');
  assert.equal(Date.parse(waiting.nextAttemptAt) - Date.parse(waiting.updatedAt), 600_000);
  await app.aUser();
  const other = await anEndpoint(t, app);
  await app.aUser();
  await other.receiver.count(1);
  assert.equal(receiver.received.length, 1, 'nothing is sent to it before');
});

test('an endpoint that never answers delays no other', async (t) => {
  const app = await openSending(t);
  const silent = await anEndpoint(t, app);
  silent.receiver.answer(null);
  const other = await anEndpoint(t, app);
  for (let i = 0; i < 30; i++) await app.aUser();
  await other.receiver.count(30);
  // Eight at once. On a slow machine the first have timed out by now, and a few more were tried.
  assert.ok(silent.receiver.received.length < 20, 'only a few are on their way at once');
});

test('a redirect is not followed, and no answer is read to its end', async (t) => {
  const app = await openSending(t);
  const target = await anEndpoint(t, app, { events: ['order.closed'] });
  const { receiver, settled } = await anEndpoint(t, app);
  const replies = [
    { status: 307, headers: { location: target.receiver.url } },
    { status: 200, body: 'x'.repeat(5_000_000) },
  ];
  receiver.answer(() => replies.shift() ?? OK);
  await app.aUser();
  await receiver.count(1);
  const redirected = await settled(receiver.received[0]!.event.eventId, 'PENDING');
  assert.match(redirected.attempts[0].error, /redirects are not followed/);
  await app.aUser();
  await receiver.count(2);
  const long = await settled(receiver.received[1]!.event.eventId, 'DELIVERED');
  assert.equal(long.attempts[0].responseHead, 'x'.repeat(500));
  assert.equal(target.receiver.received.length, 0);
});

test('retry sends a delivered event again, retry-failed what failed, and replay everything since', async (t) => {
  const app = await openSending(t);
  const { receiver, post, settled, deliveries } = await anEndpoint(t, app);
  await app.aUser();
  await app.aUser();
  await receiver.count(2);
  const [first, second] = receiver.received.map(({ event }) => event);
  const { id } = await settled(first.eventId, 'DELIVERED');
  assert.equal((await app.call(`POST /webhook-deliveries/${id}/retry`)).status, 202);
  await receiver.count(3);
  assert.equal(receiver.received[2]!.event.eventId, first.eventId);

  receiver.answer(REFUSED);
  await app.aUser();
  await receiver.count(4);
  const refused = receiver.received[3]!.event;
  await settled(refused.eventId, 'PENDING');
  receiver.answer(OK);
  assert.deepEqual(await post('retry-failed', { since: first.occurredAt }), { deliveries: 1, hasMore: false });
  await receiver.count(5);
  assert.equal(receiver.received[4]!.event.eventId, refused.eventId);
  await settled(refused.eventId, 'DELIVERED');

  assert.deepEqual(await post('replay', { since: first.eventId }), { events: 2 });
  await receiver.count(7);
  assert.deepEqual(
    receiver.received.slice(5).map(({ event }) => event.eventId),
    [second.eventId, refused.eventId],
  );
  assert.deepEqual(await post('replay', { since: first.occurredAt }), { events: 3 });
  await receiver.count(10);
  await until(async () => (await deliveries()).every(({ status }) => status === 'DELIVERED'));
  assert.equal((await deliveries()).length, 3, 'an event has one delivery for each endpoint');
});

test('a retry and a test event are sent at once, also while the receiver has asked for time', async (t) => {
  const app = await openSending(t);
  const { receiver, settled, post } = await anEndpoint(t, app);
  receiver.answer({ status: 503, headers: { 'retry-after': '3600' } });
  await app.aUser();
  await receiver.count(1);
  const { id, eventId } = await settled(receiver.received[0]!.event.eventId, 'PENDING');
  await app.aUser();
  receiver.answer({ status: 503, headers: { 'retry-after': '7200' } });
  await post('test');
  await receiver.count(2);
  assert.equal(receiver.received[1]!.event.eventType, 'webhook.test', 'before everything that waits');
  await settled(receiver.received[1]!.event.eventId, 'PENDING');
  receiver.answer(OK);
  assert.equal((await app.call(`POST /webhook-deliveries/${id}/retry`)).status, 202);
  await settled(eventId, 'DELIVERED');
  // The receiver answers, so what waited for it is sent too.
  await until(() =>
    receiver.received.some(({ event }) => event.eventType === 'user.created' && event.eventId !== eventId),
  );
});

test('retry-failed leaves out what a request before it is sending, so that a repeat finds the next ones', async (t) => {
  const app = await openSending(t);
  const { receiver, post, deliveries } = await anEndpoint(t, app);
  receiver.answer(REFUSED);
  for (let i = 0; i < 3; i++) await app.aUser();
  await until(async () => (await deliveries('&status=PENDING')).length === 3);
  receiver.answer(null);
  const since = { since: '2026-01-01T00:00:00Z' };
  assert.deepEqual(await post('retry-failed', since), { deliveries: 3, hasMore: false });
  assert.deepEqual(await post('retry-failed', since), { deliveries: 0, hasMore: false });
});

test('a retry and a test event are sent at once, also while another event of their resource waits for its next attempt', async (t) => {
  const app = await openSending(t);
  const { receiver, post, settled } = await anEndpoint(t, app, { events: ['balance.*'] });
  const user = await app.aUser({ available: '1.00' });
  await receiver.count(1);
  const delivered = await settled(receiver.received[0]!.event.eventId, 'DELIVERED');
  receiver.answer({ status: 500, headers: { 'retry-after': '600' } });
  await app.call(`POST /users/${user}/balance/credit`, { body: { amount: '2.00' } });
  await receiver.count(2);
  const waiting = receiver.received[1]!.event.eventId;
  await settled(waiting, 'PENDING');
  await post('test');
  await receiver.count(3);
  await settled(receiver.received[2]!.event.eventId, 'PENDING');
  receiver.answer(OK);
  await post('test');
  await receiver.count(4);
  assert.notEqual(receiver.received[3]!.event.eventId, receiver.received[2]!.event.eventId, 'the second test');
  await app.call(`POST /webhook-deliveries/${delivered.id}/retry`);
  await receiver.count(5);
  assert.deepEqual(
    receiver.received.slice(4).map(({ event }) => event.eventId),
    [delivered.eventId],
  );
  assert.equal((await settled(waiting, 'PENDING')).attemptCount, 1);
});
