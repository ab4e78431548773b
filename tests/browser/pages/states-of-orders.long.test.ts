// Orders and disputes in further states: forms, confirmations, and for a key without permissions. Each is checked at
// both widths and in both colour schemes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TWO_MILESTONES, tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, openBrowser, openOwnBrowser } from '../support/browser-fixture.ts';
import { checkState } from '../support/check-state.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const key = await fixture.app.key(['*']);
  const trade = await tradeIn(fixture.app, { available: '900.00' });
  return { ...fixture, key, trade, page: await fixture.open('/orders', { key }) };
});

test('the form of an order with milestones is accessible and fits', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'New order' }).click();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByText('Choose a buyer.').waitFor();
  await checkState(page, 'order-new-refused');
  await page.getByLabel('Title').fill('Logo in two drafts');
  await page.getByLabel('Amount', { exact: true }).fill('120.01');
  await page.getByLabel('Platform fee, %').fill('5.25');
  await page.getByRole('button', { name: 'Add milestone' }).click();
  await page.getByRole('textbox', { name: 'Milestone 1' }).fill('First draft');
  await page.getByLabel('Amount of 1').fill('70.00');
  await page.getByText('50.01 USD remaining').waitFor();
  await checkState(page, 'order-new');
  assert.equal(await page.getByRole('dialog').count(), 1);
  await page.keyboard.press('Escape');
});

test('an order is accessible and fits while it is confirmed, in progress, released, and for a read-only key', async () => {
  const { app, key, trade, page } = shared();
  const unpaid = await trade.anOrder({ title: 'Poster', amount: '30.00' });
  await goTo(page, `/orders/${unpaid.id}`);
  await page.getByRole('button', { name: 'Reserve funds' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('row', { name: /Buyer, reserved 0\.00 \+30\.00/ }).waitFor();
  await checkState(page, 'order-reserve');
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click();

  const { id } = await trade.anOrder({
    at: 'IN_PROGRESS',
    title: 'Website',
    amount: '100.00',
    milestones: TWO_MILESTONES,
  });
  await goTo(page, `/orders/${id}`);
  await page.getByText('Milestones, 0 of 2 completed').waitFor();
  await checkState(page, 'order-in-progress');
  await page.getByRole('button', { name: 'Refund buyer' }).click();
  await confirmation.getByLabel('Reason').waitFor();
  await checkState(page, 'order-refund');
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click();
  for (const { ref } of TWO_MILESTONES) await trade.done(`POST /orders/${id}/milestones/${ref}/complete`);
  await trade.done(`POST /orders/${id}/resolution/release`);
  await page.getByText('Closed: released').waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('The seller is paid from the escrow').click();
  await timeline.getByRole('button', { name: 'Audit' }).click();
  await timeline.getByText('Order released', { exact: true }).waitFor();
  await checkState(page, 'order-released');

  await goTo(page, `/orders/${unpaid.id}`);
  await changeKey(page, await app.key(['read']));
  await page.getByRole('paragraph').filter({ hasText: 'Your key is read-only' }).waitFor();
  await checkState(page, 'order-read-only');
  assert.equal(await page.getByRole('button', { name: 'Reserve funds' }).getAttribute('aria-disabled'), 'true');
  await changeKey(page, key);
});

test('a dispute is accessible and fits while it is split, confirmed, resolved, and for a key without the support scope', async () => {
  const { app, key, trade, page } = shared();
  const { id } = await trade.aDispute({ evidence: ['https://files.example/contract.pdf', 'ticket 4711'] });
  await app.call(`POST /disputes/${id}/assign`, { body: { assignedTo: 'Clara' } });
  await goTo(page, `/disputes/${id}`);
  await changeKey(page, await app.key(['read', 'write']));
  await page.getByRole('paragraph').filter({ hasText: 'Your key cannot do this' }).waitFor();
  await checkState(page, 'dispute-read-only');
  await goTo(page, '/disputes?status=UNDER_REVIEW');
  await page.getByRole('cell', { name: 'Clara' }).waitFor();
  await checkState(page, 'disputes-read-only');
  await changeKey(page, key);

  await goTo(page, `/disputes/${id}`);
  await page.getByRole('slider', { name: 'Seller’s share' }).fill('6001');
  const context = page.getByRole('region', { name: 'Resolve', exact: true });
  await context.getByLabel('Note', { exact: true }).fill('The first draft was good, the second was never sent.');
  await checkState(page, 'dispute-split');
  await page.getByRole('button', { name: 'Resolve dispute' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: 'Pay out 100.00 USD' }).waitFor();
  await checkState(page, 'dispute-confirm');
  await confirmation.getByRole('button', { name: 'Pay out 100.00 USD' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await outcome.getByText('The first draft was good').waitFor();
  await checkState(page, 'dispute-resolved');
  assert.equal((await app.call(`GET /disputes/${id}`)).body.data.data.status, 'RESOLVED');
});

test('an operation that waits for the provider is accessible, and completes when the provider answers', async (t) => {
  const fixture = await openOwnBrowser(t, { PROVIDER_TIMEOUT_MS: '1500' });
  const trade = await tradeIn(fixture.app, { available: '200.00' });
  const { id } = await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00', title: 'Translation' });
  const silence = { operation: 'release', fault: 'timeout', match: id, count: 1_000 };
  await fixture.app.call('POST /sandbox/faults', { body: silence });
  const page = await fixture.open(`/orders/${id}`);
  await page.getByRole('button', { name: 'Release to seller' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release 80.00 USD' }).click();
  await page.getByText('Releasing to seller …').waitFor();
  await checkState(page, 'order-working');
  await fixture.app.call('DELETE /sandbox/faults');
  // The operation is retried with a growing delay.
  await page.getByText('Closed: released').waitFor({ timeout: 60_000 });
  assert.deepEqual(await trade.figures(trade.sellerId), ['76.00', '0.00']);
});
