// A split under a policy with a fixed fee: the preview shows the fee of the server, and the outcome invents none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { goTo, openOwnBrowser } from '../support/browser-fixture.ts';

test('the outcome of a split under a policy shows no fee of its own; the preview showed that of the server', async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const rules = { platformFee: { percent: '5', fixed: '0.30' } };
  assert.equal((await app.call('POST /policies', { body: { name: 'shop', rules } })).status, 201);
  const trade = await tradeIn(app, { available: '100.00' });
  const { id } = await trade.anOrder({ at: 'IN_PROGRESS', title: 'A table', amount: '40.00', policy: 'shop' });
  const opening = { orderId: id, openedBy: 'BUYER', reason: 'OTHER' };
  const opened = await app.call(`POST /orders/${id}/resolution/dispute`, { body: opening });
  const { id: disputeId } = opened.body.data.data ?? opened.body.data;
  const page = await open('/users');
  page.setDefaultTimeout(20_000);
  await goTo(page, `/disputes/${disputeId}`);
  await page.getByRole('button', { name: /^Assign to me/ }).click();
  // Half for each: 5 % of 20.00 and the fixed part.
  await page.getByRole('row', { name: /Platform fees – \+1\.30/ }).waitFor();
  await page.getByLabel('Note', { exact: true }).fill('Half of it was delivered');
  await page.getByRole('button', { name: 'Resolve dispute' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('button', { name: /^Pay out/ }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await outcome.waitFor();
  const figures = outcome.locator('.dispute-figures').first();
  const shown = (await figures.textContent()) ?? '';
  assert.match(shown, /share20\.00.*Platform feeby the policy .*Credited to buyer20\.00/);
  assert.doesNotMatch(shown, /Credited to seller/);
  assert.deepEqual(await trade.figures(trade.sellerId), ['18.70', '0.00']);
});
