// Many tell of the same payment at once: webhooks, refreshes, callbacks, jobs, in one process and in two. The user is
// credited once, whoever is first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/app.ts';
import { openPayments, type PaymentStand } from './payment-stand.ts';

const COPIES = 100;

const creditsOf = async ({ app }: PaymentStand, topupId: string): Promise<number> =>
  (await app.sql("select 1 from postings where reference = $1 and move = 'topup' and amount > 0", [topupId])).length;

const outcomesOf = (answers: readonly { text: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { text } of answers) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
};

test('a hundred copies of one success beside refreshes and callbacks: one credit (defect 20)', async (t) => {
  const stand = await openPayments(t, { webhooks: false });
  const { app, topup, pay, deliver, available, told, assertSettled } = stand;
  const made = await topup({ body: { returnUrl: 'https://shop.example/paid' } });
  const { id, userId, providerPayinId } = made;
  await pay(id, 'confirm');
  const event = { type: 'payin.succeeded', data: { id: providerPayinId, code: id, amount: 25.5 }, eventId: 'one' };
  const visit = () => fetch(`${app.url}/api/v1/topups/${id}/callback`, { redirect: 'manual' });
  const [copies, refreshed, visited] = await Promise.all([
    Promise.all(Array.from({ length: COPIES }, () => deliver(event))),
    Promise.all(Array.from({ length: 20 }, () => app.call(`POST /topups/${id}/refresh`))),
    Promise.all(Array.from({ length: 20 }, visit)),
  ]);
  assert.deepEqual(outcomesOf(copies), {
    '{"status":"ok","processed":true}': 1,
    '{"status":"ok","duplicate":true}': COPIES - 1,
  });
  assert.ok(refreshed.every(({ status, body }) => status === 200 && body.data.status === 'TOPUP_SUCCEEDED'));
  assert.ok(visited.every(({ status }) => status === 302 || status === 200));
  assert.equal(await creditsOf(stand, id), 1);
  assert.equal(await available(userId), '25.50');
  const types = (await told(made)).map(([type]) => type);
  assert.deepEqual(types.slice(2), ['balance.credited', 'topup.succeeded']);
  await assertSettled();
});

test('a hundred events about one success, each with an id of its own: all are taken and one credits', async (t) => {
  const stand = await openPayments(t, { webhooks: false });
  const { topup, pay, deliver, available, assertSettled } = stand;
  const { id, userId, providerPayinId } = await topup();
  await pay(id, 'confirm');
  const event = { type: 'payin.succeeded', data: { id: providerPayinId, code: id, amount: 25.5 } };
  const answers = await Promise.all(Array.from({ length: COPIES }, () => deliver(event)));
  assert.deepEqual(outcomesOf(answers), { '{"status":"ok","processed":true}': COPIES });
  assert.equal(await creditsOf(stand, id), 1);
  assert.equal(await available(userId), '25.50');
  await assertSettled();
});

test('two servers on one database hear of the same successes: each is credited once', async (t) => {
  const stand = await openPayments(t, { webhooks: false });
  const { app, topup, pay, deliver, available, assertSettled } = stand;
  const other = await startApp(t, { env: stand.env, connection: app.connection });
  const userId = await app.user();
  const topups = [];
  for (let i = 0; i < 6; i++) topups.push(await topup({ userId, body: { amount: '1.00' } }));
  for (const { id } of topups) await pay(id, 'confirm');
  const key = await app.key(['*']);
  const all = topups.flatMap(({ id, providerPayinId }) => {
    const event = { type: 'payin.succeeded', data: { id: providerPayinId, code: id, amount: 1 } };
    return [
      ...Array.from({ length: 5 }, () => deliver(event)),
      ...Array.from({ length: 5 }, () => other.call(`POST /topups/${id}/refresh`, { key })),
    ];
  });
  for (const { status, text } of await Promise.all(all)) assert.equal(status, 200, text);
  for (const { id } of topups) assert.equal(await creditsOf(stand, id), 1);
  assert.equal(await available(userId), '6.00');
  await assertSettled();
});

test('cancelling and paying at once ends in one of the two, the same here and at the provider', async (t) => {
  const stand = await openPayments(t);
  const { app, sandbox, topup, control, get, available, assertSettled } = stand;
  const userId = await app.user();
  let paid = 0;
  for (let i = 0; i < 8; i++) {
    const { id } = await topup({ userId, body: { amount: '1.00' } });
    const confirm = () => control(`POST /payins/${id}/confirm`).catch(() => null);
    const cancel = () => app.call(`POST /topups/${id}/cancel`);
    const [canceled] = await Promise.all(i % 2 === 0 ? [cancel(), confirm()] : [confirm().then(cancel), null]);
    const payin = (sandbox.describe().payins as { code: string; status: string }[]).find(({ code }) => code === id)!;
    const { status } = await get(id);
    assert.equal(status, payin.status === 'CONFIRMED' ? 'TOPUP_SUCCEEDED' : 'TOPUP_CANCELED');
    assert.equal(canceled!.status, status === 'TOPUP_CANCELED' ? 200 : 409, canceled!.text);
    if (status === 'TOPUP_SUCCEEDED') paid++;
  }
  assert.equal(await available(userId), `${paid}.00`);
  await assertSettled();
});

test('many first top-ups in several marketplaces at once open the float once', async (t) => {
  const stand = await openPayments(t);
  const { app, topup, pay, assertSettled } = stand;
  const keys = await Promise.all(['mkt_a', 'mkt_b', 'mkt_c'].map((id) => app.key(['*'], id)));
  const asks = await Promise.all(
    keys.flatMap((key) => [key, key]).map(async (key) => ({ key, userId: await app.user({ key }) })),
  );
  const topups = await Promise.all(asks.map((ask) => topup(ask)));
  await Promise.all(topups.map(({ id }) => pay(id, 'confirm')));
  const opened = await app.sql(
    "select account_id, -amount as units from postings where move = 'float_opening' and amount < 0",
  );
  assert.deepEqual(opened, [{ account_id: 'payment-float:USD', units: '10000000000000' }]);
  await assertSettled();
});
