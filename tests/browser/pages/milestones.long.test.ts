// The milestones of an order on its page: one is released, one refunded, and one disputed and decided, each on its own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openOwnBrowser(t);
  return { app, page: await open('/orders') };
});

const THREE = [
  { ref: 'draft', title: 'Draft', amount: '20.00' },
  { ref: 'text', title: 'Text', amount: '30.00' },
  { ref: 'print', title: 'Print', amount: '50.00' },
];

test('each milestone is paid on its own, and the last decision closes the order', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '100.00' });
  const { id } = await trade.anOrder({ at: 'IN_PROGRESS', title: 'A book', amount: '100.00', milestones: THREE });
  await trade.done(`POST /orders/${id}/milestones/draft/complete`);
  await goTo(page, `/orders/${id}`);
  await page.getByText('Milestones, 1 of 3 completed').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Release Text' }).count(), 0, 'it is not completed');

  await page.getByRole('button', { name: 'Release Draft' }).click();
  const dialog = page.getByRole('alertdialog');
  await assertGoodInBothViews(page);
  await dialog.getByRole('button', { name: 'Release 20.00 USD' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('19.00 USD to the seller, 1.00 fee').waitFor();
  await page.getByRole('region', { name: 'Amounts' }).getByText('80.00').waitFor();

  await page.getByRole('button', { name: 'Refund Text' }).click();
  const refund = dialog.getByRole('button', { name: 'Refund 30.00 USD' });
  assert.match((await refund.getAttribute('title')) ?? '', /requires one/);
  await dialog.getByLabel('Reason').fill('Not needed any more');
  await refund.click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('USD to the buyer').waitFor();

  await page.getByRole('button', { name: 'Dispute Print' }).click();
  await dialog.getByLabel('Opened by').selectOption('SELLER');
  await dialog.getByRole('button', { name: 'Open dispute' }).click();
  await dialog.waitFor({ state: 'detached' });
  await assertGoodInBothViews(page);
  await page.getByRole('link', { name: 'Resolve dispute' }).click();
  await page.getByText('Amount in dispute').waitFor();
  await page.getByText('Print', { exact: true }).waitFor();
  await assertGoodInBothViews(page);

  const disputeId = page.url().split('/').at(-1);
  await trade.done(`POST /disputes/${disputeId}/assign`, { body: { assignedTo: 'support-1' } });
  const body = { decision: 'SPLIT', releaseAmount: '40.00', refundAmount: '10.00' };
  await trade.done(`POST /disputes/${disputeId}/resolve`, { body });
  await page.getByText('Credited to buyer').waitFor();
  await goTo(page, `/orders/${id}`);
  await page.getByText('Closed: split').waitFor();
  const amounts = page.getByRole('region', { name: 'Amounts' });
  await amounts.getByText('57.00').waitFor();
  await amounts.getByText('40.00').waitFor();
  const row = (title: string) => page.locator('.order-milestones li').filter({ hasText: title });
  await row('Print').getByText('Split', { exact: true }).waitFor();
  await row('Print').getByText('10.00 USD to the buyer').waitFor();
  await row('Draft').getByText('Released', { exact: true }).waitFor();
  await row('Text').getByText('Refunded', { exact: true }).waitFor();
  const escrow = (await page.getByRole('region', { name: 'Escrow' }).textContent()) ?? '';
  assert.match(escrow, /Split/);
  assert.doesNotMatch(escrow, /Released/);
  const history = page.getByText(/^Status history: .*, then Split, then Closed\.$/);
  await history.waitFor({ state: 'attached' });
});
