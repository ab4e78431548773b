// Receipts: every amount from the books, the hashes of the ledger, documents with the same figures, and none where no money moved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { factsOfHtml, hasPdfTool, NO_TOOLS, textOfPdf } from './pdf-reading.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would
type Any = any;

const HASH = /^[0-9a-f]{64}$/;

test('a receipt has the parts of each milestone, the fees and the hashes of the ledger', async (t) => {
  const { app, parties, anOrder, completeAll, expect, simulator } = await openSharedOrders(t);
  const who = await parties();
  const order = await anOrder({ at: 'IN_PROGRESS', between: who, milestones: ['60.00', '40.00'] });
  await completeAll(order);
  const [first, second] = order.milestones.map(({ ref }: Any) => ref) as [string, string];
  await expect(`POST /orders/${order.id}/milestones/${first}/release`, { status: 200 });
  const half = (await app.call(`GET /orders/${order.id}/receipt`)).body.data;
  assert.deepEqual([half.released, half.inEscrow, half.finalStatus], ['60.00', '40.00', null]);
  await expect(`POST /orders/${order.id}/milestones/${second}/refund`, { status: 200, body: { reason: 'Not done' } });

  const { status, body, text } = await app.call(`GET /orders/${order.id}/receipt`);
  assert.equal(status, 200, text);
  const receipt = body.data;
  assert.deepEqual(
    [receipt.status, receipt.finalStatus, receipt.amount, receipt.funded, receipt.released, receipt.platformFee],
    ['CLOSED', 'SPLIT', '100.00', '100.00', '60.00', '3.00'],
  );
  assert.deepEqual([receipt.sellerNet, receipt.refunded, receipt.inEscrow], ['57.00', '40.00', '0.00']);
  assert.deepEqual(
    receipt.milestones.map(({ released, refunded, fee }: Any) => [released, refunded, fee]),
    [
      ['60.00', '0.00', '3.00'],
      ['0.00', '40.00', '0.00'],
    ],
  );
  assert.deepEqual([receipt.buyer.id, receipt.seller.id], [who.buyer, who.seller]);
  assert.equal(receipt.contractId, order.escrow.providerContractId);
  const { transactions: known } = await simulator('GET /state');
  assert.ok(known.length > 0);
  const calls = receipt.transactions.map(({ call }: Any) => call);
  for (const call of ['deploy', 'fund', 'release', 'resolve']) assert.ok(calls.includes(call), `${call} in ${calls}`);
  for (const { hash, url } of receipt.transactions) {
    assert.match(hash, HASH);
    assert.equal(url, null);
    assert.ok(known.some((transaction: Any) => transaction.hash === hash));
  }
  const page = (await app.call(`GET /orders/${order.id}/receipt?format=html`)).text;
  assert.deepEqual(factsOfHtml(page, 'Seller received'), ['57.00 USD']);
  assert.deepEqual(factsOfHtml(page, 'Platform fee'), ['3.00 USD']);
  assert.deepEqual(factsOfHtml(page, 'Protocol fee'), [`${receipt.protocolFee} USD`]);
  for (const { hash } of receipt.transactions) assert.ok(page.includes(hash));
});

test('milestones that were paid together have their share of the release, the refund or the split', async (t) => {
  const { app, parties, anOrder, aDispute, completeAll, expect } = await openSharedOrders(t);
  const between = await parties();
  const milestones = ['60.00', '40.00'];
  const partsOf = async (id: string): Promise<unknown[][]> => {
    const receipt = (await app.call(`GET /orders/${id}/receipt`)).body.data;
    return receipt.milestones.map(({ released, refunded, fee }: Any) => [released, refunded, fee]);
  };
  const released = await anOrder({ at: 'IN_PROGRESS', between, milestones });
  const unpaid = [null, null, null];
  assert.deepEqual(await partsOf(released.id), [unpaid, unpaid]);
  await completeAll(released);
  await expect(`POST /orders/${released.id}/resolution/release`, { status: 200 });
  const parts = [
    ['60.00', '0.00', '3.00'],
    ['40.00', '0.00', '2.00'],
  ];
  assert.deepEqual(await partsOf(released.id), parts);
  const page = (await app.call(`GET /orders/${released.id}/receipt?format=html`)).text;
  const rows = [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => row!.replace(/<[^>]*>/g, ' '));
  assert.ok(rows.some((row) => /40\.00 +40\.00 +0\.00 +2\.00/.test(row)));

  const { id, orderId } = await aDispute({ at: 'UNDER_REVIEW', between, milestones });
  const body = { decision: 'SPLIT', releaseAmount: '70.00', refundAmount: '30.00' };
  await expect(`POST /disputes/${id}/resolve`, { status: 200, body });
  assert.deepEqual(await partsOf(orderId), [
    ['60.00', '0.00', '3.00'],
    ['10.00', '30.00', '0.50'],
  ]);
});

test('an order whose money has never been in escrow has no receipt, and another marketplace sees none', async (t) => {
  const { app, anOrder } = await openSharedOrders(t);
  const order = await anOrder({ at: 'FUNDS_RESERVED' });
  assert.equal(codeOf(await app.call(`GET /orders/${order.id}/receipt`)), '409 RECEIPT_NOT_AVAILABLE');
  assert.equal(codeOf(await app.call(`GET /orders/${order.id}/receipt?format=pdf`)), '409 RECEIPT_NOT_AVAILABLE');
  const other = await openApp(t);
  assert.equal(codeOf(await other.call(`GET /orders/${order.id}/receipt`)), '404 ORDER_NOT_FOUND');
});

test('a receipt that would miss a posting is refused, and states no wrong amount', async (t) => {
  const { app, anOrder } = await openSharedOrders(t);
  const { id } = await anOrder({ at: 'IN_PROGRESS' });
  const path = `GET /orders/${id}/receipt`;
  assert.equal((await app.call(path)).status, 200);
  const counted = (by: number) =>
    app.sql(`update accounts set postings = postings + ${by} where id = $1`, [`${id}:escrow:USD`]);
  await counted(1);
  const refused = await app.call(path);
  assert.equal(codeOf(refused), '503 SERVICE_UNAVAILABLE');
  assert.match(refused.body.error.message, /changed while its receipt was read/);
  await counted(-1);
  assert.equal((await app.call(path)).status, 200);
});

const HOSTILE = `</title><script>alert(1)</script>" onload='x' ${'\u202e'}مرحبا שלום 😀 `;

test('hostile texts stay texts: in HTML they are escaped, in a PDF they are drawn', async (t) => {
  const { app, parties, anOrder } = await openSharedOrders(t);
  const key = await app.key(['read']);
  const title = `${HOSTILE}${'x'.repeat(200)}`.slice(0, 200);
  const order = await anOrder({ at: 'IN_PROGRESS', between: await parties(), title });
  const page = (await app.call(`GET /orders/${order.id}/receipt?format=html`)).text;
  assert.ok(!page.includes('<script') && !page.includes('\u202e'));
  assert.ok(factsOfHtml(page, 'Order')[0]!.includes("<script>alert(1)</script>\" onload='x'"));
  const headers = { authorization: `Bearer ${key}` };
  const pdf = await fetch(`${app.url}/api/v1/orders/${order.id}/receipt?format=pdf`, { headers });
  const bytes = new Uint8Array(await pdf.arrayBuffer());
  assert.deepEqual([pdf.status, pdf.headers.get('content-type')], [200, 'application/pdf']);
  if (!(await hasPdfTool())) return t.skip(NO_TOOLS);
  assert.match(await textOfPdf(bytes), /<script>alert\(1\)<\/script>/);
});
