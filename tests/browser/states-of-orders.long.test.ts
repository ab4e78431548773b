// Orders and disputes in the states between their pages: forms, confirmations, and what a key without rights sees. Each is
// judged at both widths and in both colours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { disputeIn, fundedOrder, shopIn, TWO_MILESTONES } from '../contract/order-ground.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { changeKey, goTo, openOwnStand, openStand } from './browser-stand.ts';
import { judgeState } from './judge-state.ts';

const shared = shareInFile(async (t) => {
  const stand = await openStand(t);
  const key = await stand.app.key(['*']);
  const shop = await shopIn(stand.app, { available: '900.00' });
  return { ...stand, key, shop, page: await stand.open('/orders', { key }) };
});

test('the form of an order with milestones is accessible and fits', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'New order' }).click();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByText('Choose a buyer.').waitFor();
  await judgeState(page, 'order-new-refused');
  await page.getByLabel('Title').fill('Logo in two drafts');
  await page.getByLabel('Amount', { exact: true }).fill('120.01');
  await page.getByLabel('Platform fee, %').fill('5.25');
  await page.getByRole('button', { name: 'Add milestone' }).click();
  await page.getByRole('textbox', { name: 'Milestone 1' }).fill('First draft');
  await page.getByLabel('Amount of 1').fill('70.00');
  await page.getByText('50.01 USD remaining').waitFor();
  await judgeState(page, 'order-new');
  assert.equal(await page.getByRole('dialog').count(), 1);
  await page.keyboard.press('Escape');
});

test('an order is accessible and fits while it is confirmed, worked on, released, and seen by a key that only reads', async () => {
  const { app, key, shop, page } = shared();
  const unpaid = await shop.order({ title: 'Poster', amount: '30.00' });
  await goTo(page, `/orders/${unpaid.id}`);
  await page.getByRole('button', { name: 'Reserve funds' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('row', { name: /Buyer, reserved 0\.00 \+30\.00/ }).waitFor();
  await judgeState(page, 'order-reserve');
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click();

  const { id } = await fundedOrder(shop, { title: 'Website', amount: '100.00', milestones: TWO_MILESTONES });
  await goTo(page, `/orders/${id}`);
  await page.getByText('Milestones, 0 of 2 completed').waitFor();
  await judgeState(page, 'order-in-progress');
  await page.getByRole('button', { name: 'Refund buyer' }).click();
  await confirmation.getByLabel('Reason').waitFor();
  await judgeState(page, 'order-refund');
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click();
  for (const { ref } of TWO_MILESTONES) await shop.done(`POST /orders/${id}/milestones/${ref}/complete`);
  await shop.done(`POST /orders/${id}/resolution/release`);
  await page.getByText('Closed: released').waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('The seller is paid from the escrow').click();
  await timeline.getByRole('button', { name: 'Audit' }).click();
  await timeline.getByText('Order released', { exact: true }).waitFor();
  await judgeState(page, 'order-released');

  await goTo(page, `/orders/${unpaid.id}`);
  await changeKey(page, await app.key(['read']));
  await page.getByRole('paragraph').filter({ hasText: 'Your key is read-only' }).waitFor();
  await judgeState(page, 'order-read-only');
  assert.equal(await page.getByRole('button', { name: 'Reserve funds' }).getAttribute('aria-disabled'), 'true');
  await changeKey(page, key);
});

test('a dispute is accessible and fits while it is split, confirmed, decided, and seen by a key without support', async () => {
  const { app, key, shop, page } = shared();
  const { id } = await disputeIn(shop, { evidence: ['https://files.example/contract.pdf', 'ticket 4711'] });
  await app.call(`POST /disputes/${id}/assign`, { body: { assignedTo: 'Clara' } });
  await goTo(page, `/disputes/${id}`);
  await changeKey(page, await app.key(['read', 'write']));
  await page.getByRole('paragraph').filter({ hasText: 'Your key cannot do this' }).waitFor();
  await judgeState(page, 'dispute-read-only');
  await goTo(page, '/disputes?status=UNDER_REVIEW');
  await page.getByRole('cell', { name: 'Clara' }).waitFor();
  await judgeState(page, 'disputes-read-only');
  await changeKey(page, key);

  await goTo(page, `/disputes/${id}`);
  await page.getByRole('slider', { name: 'Seller’s share' }).fill('6001');
  const desk = page.getByRole('region', { name: 'Resolve', exact: true });
  await desk.getByLabel('Note').fill('The first draft was good, the second was never sent.');
  await judgeState(page, 'dispute-split');
  await page.getByRole('button', { name: 'Resolve dispute' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: 'Pay out 100.00 USD' }).waitFor();
  await judgeState(page, 'dispute-confirm');
  await confirmation.getByRole('button', { name: 'Pay out 100.00 USD' }).click();
  const outcome = page.getByRole('region', { name: 'Outcome' });
  await outcome.getByText('The first draft was good').waitFor();
  await judgeState(page, 'dispute-resolved');
  assert.equal((await app.call(`GET /disputes/${id}`)).body.data.data.status, 'RESOLVED');
});

test('a provider that stays silent is told of, accessibly, and when it answers again it is done', async (t) => {
  const stand = await openOwnStand(t, { PROVIDER_TIMEOUT_MS: '1500' });
  const shop = await shopIn(stand.app, { available: '200.00' });
  const { id } = await fundedOrder(shop, { amount: '80.00', title: 'Translation' });
  const silence = { operation: 'release', fault: 'timeout', match: id, count: 1_000 };
  await stand.app.call('POST /sandbox/faults', { body: silence });
  const page = await stand.open(`/orders/${id}`);
  await page.getByRole('button', { name: 'Release to seller' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release 80.00 USD' }).click();
  await page.getByText('Releasing to seller …').waitFor();
  await judgeState(page, 'order-working');
  await stand.app.call('DELETE /sandbox/faults');
  // It is tried again after a pause that grows with each attempt.
  await page.getByText('Closed: released').waitFor({ timeout: 60_000 });
  assert.deepEqual(await shop.figures(shop.sellerId), ['76.00', '0.00']);
});
