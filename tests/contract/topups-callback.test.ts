// GET /topups/{id}/callback, by status. Anybody may call it, so it is also looked at what it costs.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openSharedPayments } from '../payments/payment-fixture.ts';

const URLS = { returnUrl: 'https://shop.example/paid?order=7#top', cancelUrl: 'https://shop.example/not-paid' };

const open = async (t: TestContext) => {
  const fixture = await openSharedPayments(t, { webhooks: false });
  const visit = async (id: string, query = '') => {
    const answer = await fetch(`${fixture.app.url}/api/v1/topups/${id}/callback${query}`, { redirect: 'manual' });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { ...fixture, visit };
};

test('302 to the return URL once it is paid, with what it is about; the money is there', async (t) => {
  const { aTopup, pay, visit, available, assertSettled } = await open(t);
  const { id, userId } = await aTopup({ body: URLS });
  await pay(id, 'confirm');
  const { status, headers, text } = await visit(id, `?code=${id}&whatever=1`);
  assert.equal(status, 302);
  const location = `https://shop.example/paid?order=7&topupId=${id}&status=TOPUP_SUCCEEDED#top`;
  assert.deepEqual([headers.get('location'), text], [location, '']);
  assert.equal(await available(userId), '25.50');
  await assertSettled();
});

test('302 to the return URL while it is processed, and to the cancel URL when it came to nothing', async (t) => {
  const { aTopup, pay, visit } = await open(t);
  for (const [move, state, base] of [
    ['process', 'TOPUP_PROCESSING', 'https://shop.example/paid?order=7&'],
    ['cancel', 'TOPUP_CANCELED', 'https://shop.example/not-paid?'],
    ['fail', 'TOPUP_FAILED', 'https://shop.example/not-paid?'],
  ] as const) {
    const { id } = await aTopup({ body: URLS });
    await pay(id, move);
    const { status, headers } = await visit(id);
    assert.equal(status, 302, move);
    assert.ok(headers.get('location')!.startsWith(`${base}topupId=${id}&status=${state}`), move);
  }
});

test('200 with a small page while it still waits, and where no URL was given', async (t) => {
  const { aTopup, pay, visit } = await open(t);
  const waiting = await aTopup({ body: URLS });
  const page = await visit(waiting.id);
  assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8']);
  assert.match(page.text, /waiting for your confirmation/);
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'/);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  const paid = await aTopup();
  await pay(paid.id, 'confirm');
  assert.match((await visit(paid.id)).text, /has arrived/);
  const canceled = await aTopup({ body: { returnUrl: URLS.returnUrl } });
  await pay(canceled.id, 'cancel');
  const answer = await visit(canceled.id);
  assert.equal(answer.status, 200);
  assert.match(answer.text, /was cancelled/);
});

test('a key that is sent does not matter, and the top-up may be of any marketplace', async (t) => {
  const { app, aTopup, pay, visit } = await open(t);
  const key = await app.key(['*'], 'mkt_other');
  const { id } = await aTopup({ key, userId: await app.aUser({ key }), body: URLS });
  await pay(id, 'confirm');
  assert.equal((await visit(id)).status, 302);
  const { body } = await app.call(`GET /topups/${id}`, { key });
  assert.equal(body.data.status, 'TOPUP_SUCCEEDED');
});

test('404 TOPUP_NOT_FOUND for what is no top-up', async (t) => {
  const { visit } = await open(t);
  for (const id of ['top_01J9ZQ8H7K5M3N2P4R6S8T0V1W', 'none', '%27']) {
    const { status, text } = await visit(id);
    assert.deepEqual([status, JSON.parse(text).error.code], [404, 'TOPUP_NOT_FOUND'], id);
  }
});

test('the payer gets the page also when the provider is away', async (t) => {
  const { aTopup, pay, visit, arm } = await open(t);
  const { id } = await aTopup({ body: URLS });
  await pay(id, 'confirm');
  arm({ operation: 'payin-get', fault: 'outage', count: 9, match: id });
  const { status, text } = await visit(id);
  assert.equal(status, 200);
  assert.match(text, /waiting for your confirmation/);
});

test('however often it is called, the provider is asked once in a while', async (t) => {
  const { sandbox, aTopup, visit } = await open(t);
  const { id } = await aTopup({ body: URLS });
  const counter = sandbox.faults.arm({ operation: 'payin-get', fault: 'slow', delayMs: 1, count: 1_000, match: id });
  const answers = await Promise.all(Array.from({ length: 30 }, () => visit(id)));
  assert.ok(answers.every(({ status }) => status === 200));
  const left = sandbox.faults.list().find((fault) => fault.id === counter.id)!.count;
  // More than one only when the visits take longer than the while.
  assert.ok(1_000 - left < 10, `${1_000 - left} calls`);
});
