// Statements as documents: the same figures as the JSON answer, for a month, with the milestone that a payment belongs to.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, type TestApp } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { openApp } from '../support/shared-app.ts';
import { factsOfHtml, hasPdfTool, NO_TOOLS, rowsOfHtml, textOfPdf } from './pdf-reading.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would
type Any = any;

const month = (): string => new Date().toISOString().slice(0, 7);

const bytesOf = async (app: TestApp, request: string, key: string): Promise<Uint8Array> => {
  const response = await fetch(`${app.url}/api/v1${request}`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200, request);
  return new Uint8Array(await response.arrayBuffer());
};

/** In, out and balance of each line of the JSON answer, as a document shows them. */
const figuresOf = ({ lines }: Any): string[][] =>
  lines.map(({ amount, balanceAfter }: Any) =>
    amount.startsWith('-') ? ['', amount.slice(1), balanceAfter] : [amount, '', balanceAfter],
  );

/** A seller who got two milestones on their own, one with a fee of many places. */
const aPaidSeller = async (t: Parameters<typeof openSharedOrders>[0]) => {
  const { app, parties, anOrder, completeAll, expect } = await openSharedOrders(t);
  const who = await parties();
  const order = await anOrder({
    at: 'IN_PROGRESS',
    between: who,
    amount: '50.00',
    milestones: ['33.33', '16.67'],
    metadata: { platformFee: 1.37 },
  });
  await completeAll(order);
  const refs = order.milestones.map(({ ref }: Any) => ref) as string[];
  for (const ref of refs) await expect(`POST /orders/${order.id}/milestones/${ref}/release`, { status: 200 });
  return { app, who, order, refs };
};

test('a statement names the milestone of a payment, in JSON and in HTML, and HTML has every figure of JSON', async (t) => {
  const { app, who, order, refs } = await aPaidSeller(t);
  const { body } = await app.call(`GET /users/${who.seller}/statement?month=${month()}`);
  const statement = body.data;
  assert.deepEqual(
    statement.lines.map(({ description, reference }: Any) => [description, reference]),
    refs.map((ref) => [`Milestone ${ref}`, order.id]),
  );
  const range = `from=${statement.from}&to=${statement.to}`;
  const page = await app.call(`GET /users/${who.seller}/statement?format=html&${range}`);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(page.headers.get('content-security-policy')!, /^default-src 'none'; style-src 'sha256-/);
  assert.deepEqual(
    rowsOfHtml(page.text).map((cells) => cells.slice(-3)),
    figuresOf(statement),
  );
  assert.deepEqual(factsOfHtml(page.text, 'Available'), [statement.opening.available, statement.closing.available]);
  assert.deepEqual(factsOfHtml(page.text, 'Total'), [statement.opening.total, statement.closing.total]);
  assert.match(statement.closing.available, /^49\.315$/);
});

test('a PDF has every figure of the JSON answer, and the same range gives the same bytes', async (t) => {
  const app = await openApp(t);
  const key = await app.key(['read']);
  const userId = await app.aUser();
  for (const amount of ['10.00', '0.01', '99999.99']) {
    await app.call(`POST /users/${userId}/balance/credit`, { body: { amount, description: `<b>${amount}</b> שלום` } });
  }
  const { from, to, lines, closing } = (await app.call(`GET /users/${userId}/statement`)).body.data;
  const request = `/users/${userId}/statement?format=pdf&from=${from}&to=${to}`;
  const bytes = await bytesOf(app, request, key);
  assert.equal(Buffer.from(bytes.subarray(0, 5)).toString(), '%PDF-');
  assert.ok(Buffer.from(bytes).equals(Buffer.from(await bytesOf(app, request, key))));
  if (!(await hasPdfTool())) return t.skip(NO_TOOLS);
  const text = await textOfPdf(bytes);
  for (const { amount, balanceAfter } of lines) {
    assert.match(
      text,
      new RegExp(`(?<![\\d.])${amount.replace('.', '\\.')}\\s+${balanceAfter.replace('.', '\\.')}\\s*\\n`),
    );
  }
  assert.match(text, new RegExp(`Closing balance\\s+Available\\s+${closing.available.replace('.', '\\.')}`));
  assert.match(text, /<b>10\.00<\/b>/);
});

test('a document has no pages to ask for, and a month stands alone', async (t) => {
  const app = await openApp(t);
  const userId = await app.aUser();
  const refused = async (query: string): Promise<string> => {
    const answer = await app.call(`GET /users/${userId}/statement?${query}`);
    assert.equal(codeOf(answer), '400 VALIDATION_ERROR', query);
    return answer.body.error.details.validationErrors[0];
  };
  assert.match(await refused('format=html&cursor=x'), /whole range/);
  assert.match(await refused('month=2026-11&from=2026-11-02'), /stands alone/);
  assert.match(await refused('month=2999-01'), /future/);
  assert.match(await refused('month=2026-13'), /month/);
  const missing = await app.call('GET /users/usr_0/statement?format=pdf');
  assert.equal(codeOf(missing), '404 USER_NOT_FOUND');
});

test('a document of another marketplace is not found', async (t) => {
  const app = await openApp(t);
  const other = await openApp(t);
  const userId = await app.aUser();
  for (const format of ['html', 'pdf']) {
    assert.equal(codeOf(await other.call(`GET /users/${userId}/statement?format=${format}`)), '404 USER_NOT_FOUND');
  }
});
