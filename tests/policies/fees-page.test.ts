// The worked examples of docs/concepts/fees.md: each row is an order, and the server has to calculate the same figures.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { openApp } from '../support/shared-app.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/concepts/fees.md'), 'utf8');

/** `–` is nothing; otherwise JSON in backquotes. */
const jsonOf = (cell: string): Record<string, unknown> | null =>
  cell === '–' ? null : JSON.parse(cell.replaceAll('`', ''));

const rows = page
  .split('| Amount | `metadata` of the order |')[1]!
  .split('\n\n')[0]!
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.slice(2, -2).split(' | '));

test('the default fee on the page is the one of the server', async (t) => {
  const app = await openApp(t);
  const { body } = await app.call('GET /config');
  assert.ok(page.includes(`The default of **${body.data.platformFeePercent} %**`));
});

test('every worked example of the page is what the server calculates', async (t) => {
  const app = await openApp(t);
  const buyerId = await app.aUser();
  const sellerId = await app.aUser();
  assert.equal(rows.length, 8);
  for (const [at, [amount, metadata, fee, feeAmount, sellerNet]] of rows.entries()) {
    const platformFee = jsonOf(fee!);
    const policy = `fees-${at}`;
    if (platformFee) {
      const made = await app.call('POST /policies', { body: { name: policy, rules: { platformFee } } });
      assert.equal(made.status, 201, made.text);
    }
    const own = jsonOf(metadata!);
    const { status, body, text } = await app.call('POST /orders', {
      body: { buyerId, sellerId, amount, ...(own ? { metadata: own } : {}), ...(platformFee ? { policy } : {}) },
    });
    assert.equal(status, 201, text);
    const order = body.data.data;
    assert.deepEqual([order.platformFeeAmount, order.sellerNet], [feeAmount, sellerNet], rows[at]!.join());
  }
});
