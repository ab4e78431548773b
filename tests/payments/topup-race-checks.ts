// Many concurrent reports of one payment. races.test.ts checks with a few and races.long.test.ts with many.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { openSharedPayments, type PaymentFixture } from './payment-fixture.ts';

export const creditsOf = async ({ app }: PaymentFixture, topupId: string): Promise<number> =>
  (await app.sql("select 1 from postings where reference = $1 and move = 'topup' and amount > 0", [topupId])).length;

const outcomesOf = (answers: readonly { text: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { text } of answers) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

/** Sends copies of one success, and a fifth as many refreshes and callbacks. Returns how often the user is credited. */
export const creditsByCopies = async (t: TestContext, copies: number): Promise<number> => {
  const fixture = await openSharedPayments(t, { webhooks: false });
  const { app, aTopup, pay, deliver, available, eventsOf, assertSettled } = fixture;
  const made = await aTopup({ body: { returnUrl: 'https://shop.example/paid' } });
  const { id, userId, providerPayinId } = made;
  await pay(id, 'confirm');
  const event = { type: 'payin.succeeded', data: { id: providerPayinId, code: id, amount: 25.5 }, eventId: 'one' };
  const others = copies / 5;
  const visit = () => fetch(`${app.url}/api/v1/topups/${id}/callback`, { redirect: 'manual' });
  const [delivered, refreshed, visited] = await Promise.all([
    Promise.all(Array.from({ length: copies }, () => deliver(event))),
    Promise.all(Array.from({ length: others }, () => app.call(`POST /topups/${id}/refresh`))),
    Promise.all(Array.from({ length: others }, visit)),
  ]);
  assert.deepEqual(outcomesOf(delivered), {
    '{"status":"ok","processed":true}': 1,
    '{"status":"ok","duplicate":true}': copies - 1,
  });
  assert.ok(refreshed.every(({ status, body }) => status === 200 && body.data.status === 'TOPUP_SUCCEEDED'));
  assert.ok(visited.every(({ status }) => status === 302 || status === 200));
  assert.equal(await available(userId), '25.50');
  const types = (await eventsOf(made)).map(([type]) => type);
  assert.deepEqual(types.slice(2), ['balance.credited', 'topup.succeeded']);
  await assertSettled();
  return creditsOf(fixture, id);
};

/** Sends events about one success, each with its own id. Returns how often the user is credited. */
export const creditsByEvents = async (t: TestContext, events: number): Promise<number> => {
  const fixture = await openSharedPayments(t, { webhooks: false });
  const { aTopup, pay, deliver, available, assertSettled } = fixture;
  const { id, userId, providerPayinId } = await aTopup();
  await pay(id, 'confirm');
  const event = { type: 'payin.succeeded', data: { id: providerPayinId, code: id, amount: 25.5 } };
  const answers = await Promise.all(Array.from({ length: events }, () => deliver(event)));
  assert.deepEqual(outcomesOf(answers), { '{"status":"ok","processed":true}': events });
  assert.equal(await available(userId), '25.50');
  await assertSettled();
  return creditsOf(fixture, id);
};

export const assertPaidOrCanceled = async (t: TestContext, rounds: number): Promise<void> => {
  const fixture = await openSharedPayments(t);
  const { app, payins, aTopup, control, get, available, assertSettled } = fixture;
  const userId = await app.aUser();
  let paid = 0;
  for (let i = 0; i < rounds; i++) {
    const { id } = await aTopup({ userId, body: { amount: '1.00' } });
    const confirm = () => control(`POST /payins/${id}/confirm`).catch(() => null);
    const cancel = () => app.call(`POST /topups/${id}/cancel`);
    const [canceled] = await Promise.all(i % 2 === 0 ? [cancel(), confirm()] : [confirm().then(cancel), null]);
    const payin = payins().find(({ code }) => code === id)!;
    const { status } = await get(id);
    assert.equal(status, payin.status === 'CONFIRMED' ? 'TOPUP_SUCCEEDED' : 'TOPUP_CANCELED');
    assert.equal(canceled!.status, status === 'TOPUP_CANCELED' ? 200 : 409, canceled!.text);
    if (status === 'TOPUP_SUCCEEDED') paid++;
  }
  assert.equal(await available(userId), `${paid}.00`);
  await assertSettled();
};
