// Public links of receipts: off by default, one per order, only a hash stored, and one answer for every link that does not work.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openOrders, openSharedOrders } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

test('public receipts are off by default: no link can be created, and every link is 404', async (t) => {
  const { app, anOrder } = await openSharedOrders(t);
  const order = await anOrder({ at: 'IN_PROGRESS' });
  const refused = await app.call(`POST /orders/${order.id}/receipt-link`);
  assert.equal(codeOf(refused), '409 PUBLIC_RECEIPTS_OFF');
  assert.match(refused.body.error.message, /PUBLIC_RECEIPTS=on/);
  const page = await fetch(`${app.url}/receipts/anything`);
  assert.deepEqual([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8']);
});

const shared = shareInFile((t) =>
  openOrders(t, { env: { PUBLIC_RECEIPTS: 'on', LEDGER_EXPLORER_URL: 'https://explorer.example/tx/{hash}' } }),
);

const pageOf = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('a link shows the receipt without a key, without e-mail addresses, and its text is stored nowhere', async () => {
  const { app, parties, anOrder } = shared();
  const who = await parties();
  const title = 'Lamp for ada@example.com';
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, title });
  const { status, body } = await app.call(`POST /orders/${order.id}/receipt-link`, { body: { expiresInDays: 2 } });
  assert.equal(status, 201);
  const { url, expiresAt } = body.data;
  const token = url.split('/receipts/')[1] as string;
  assert.match(token, /^hfr_[\w-]+_[0-9A-Z]{26}_[\w-]{43}$/);
  const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
  assert.ok(days > 1.9 && days <= 2);

  const { status: shown, headers, text } = await pageOf(url);
  assert.equal(shown, 200);
  assert.match(
    headers.get('content-security-policy')!,
    /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:;/,
  );
  assert.deepEqual(
    [headers.get('cache-control'), headers.get('x-robots-tag')],
    ['private, no-store', 'noindex, nofollow'],
  );
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.ok(text.includes(order.id) && text.includes(who.buyer) && !/<script/i.test(text));
  assert.ok(!text.replace(/<style>.*<\/style>/, '').includes('@'));
  assert.ok(!text.includes('Costs of the marketplace') && !text.includes('Protocol fee'));
  const receipt = (await app.call(`GET /orders/${order.id}/receipt`)).body.data;
  for (const { hash } of receipt.transactions) assert.ok(text.includes(`href="https://explorer.example/tx/${hash}"`));
  assert.deepEqual(receipt.publicLink.expiresAt, expiresAt);

  const secret = token.slice(-43);
  for (const table of ['receipt_links', 'audit_entries', 'events', 'idempotency_answers']) {
    const rows = await app.sql(`select t::text as text from ${table} t where strpos(t::text, $1) > 0`, [secret]);
    assert.deepEqual(rows, [], table);
  }
});

test('a new link replaces the old one, and a revoked link is 404 like an unknown one', async () => {
  const { app, anOrder } = shared();
  const order = await anOrder({ at: 'IN_PROGRESS' });
  const create = async (): Promise<string> => (await app.call(`POST /orders/${order.id}/receipt-link`)).body.data.url;
  const old = await create();
  const current = await create();
  assert.equal((await pageOf(current)).status, 200);
  const revoked = await app.call(`DELETE /orders/${order.id}/receipt-link`);
  assert.equal(revoked.status, 200);
  assert.equal(codeOf(await app.call(`DELETE /orders/${order.id}/receipt-link`)), '404 RECEIPT_LINK_NOT_FOUND');
  const unknown = `${app.url}/receipts/${'x'.repeat(43)}`;
  const altered = `${current.slice(0, -1)}${current.endsWith('A') ? 'B' : 'A'}`;
  const pages = await Promise.all([old, current, unknown, altered].map(pageOf));
  for (const page of pages) assert.deepEqual([page.status, page.text], [404, pages[2]!.text]);
  const { rows } = { rows: await app.sql(`select action from audit_entries where resource_id = $1`, [order.id]) };
  const actions = rows.map(({ action }) => action as string);
  assert.equal(actions.filter((action) => action === 'RECEIPT_LINK_CREATED').length, 2);
  assert.equal(actions.filter((action) => action === 'RECEIPT_LINK_REVOKED').length, 1);
});

test('an expired link is 404, and the link of another marketplace cannot be changed', async () => {
  const { app, anOrder } = shared();
  const order = await anOrder({ at: 'IN_PROGRESS' });
  const { url } = (await app.call(`POST /orders/${order.id}/receipt-link`)).body.data;
  const key = await app.key(['read', 'write'], 'mkt_other');
  for (const method of ['POST', 'DELETE']) {
    assert.equal(codeOf(await app.call(`${method} /orders/${order.id}/receipt-link`, { key })), '404 ORDER_NOT_FOUND');
  }
  assert.equal((await pageOf(url)).status, 200);
  await app.sql(`update receipt_links set expires_at = created_at where id = $1`, [order.id]);
  assert.equal((await pageOf(url)).status, 404);
});

test('reading keys cannot create a link, and an order without a receipt gets none', async () => {
  const { app, anOrder } = shared();
  const order = await anOrder({ at: 'FUNDS_RESERVED' });
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/receipt-link`)), '409 RECEIPT_NOT_AVAILABLE');
  const key = await app.key(['read']);
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/receipt-link`, { key })), '403 INSUFFICIENT_SCOPE');
});
