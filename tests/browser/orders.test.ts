// Orders in the console: the whole life of one by its buttons, a refund, what others do meanwhile, and a provider that
// does not answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fundedOrder, NOBODY, shopIn, TWO_MILESTONES } from '../contract/order-ground.ts';
import type { TestApp } from '../support/app.ts';
import { NARROW, openOwnStand, openStand } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

const user = async (app: TestApp, externalUserId: string): Promise<string> =>
  (await app.call('POST /users', { body: { externalUserId } })).body.data.id;

const choose = async (page: Page, label: string, name: string): Promise<void> => {
  await page.getByRole('dialog').getByLabel(label).fill(name);
  await page.getByRole('option', { name }).click();
};

/** The button of the page, then the one of the window that asks. */
const carryOut = async (page: Page, verb: string, confirm: string | RegExp): Promise<void> => {
  await page.getByRole('button', { name: verb, exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
};

test('an order is made, paid for, worked on and released, all on its page', async (t) => {
  const stand = await openStand(t);
  const buyerId = await user(stand.app, 'anna-buys');
  const sellerId = await user(stand.app, 'bert-sells');
  await stand.app.call(`POST /users/${buyerId}/balance/credit`, { body: { amount: '500.00' } });

  const page = await stand.open('/orders');
  await page.getByText('There are no orders yet').waitFor();
  await page.getByRole('button', { name: 'New order' }).click();
  await page.getByRole('button', { name: 'Make the order' }).click();
  await page.getByText('Choose who pays.').waitFor();
  await choose(page, 'Buyer', 'anna-buys');
  await choose(page, 'Seller', 'bert-sells');
  await page.getByLabel('Title').fill('Logo in two drafts');
  await page.getByLabel('Amount', { exact: true }).fill('120.01');
  await page.getByLabel('Platform fee, %').fill('5.25');
  await page.getByRole('button', { name: 'Add a milestone' }).click();
  await page.getByRole('textbox', { name: 'Milestone 1' }).fill('First draft');
  await page.getByLabel('Amount of 1').fill('70.00');
  await page.getByText('50.01 USD left to give').waitFor();
  await page.getByRole('button', { name: 'Add a milestone' }).click();
  await page.getByRole('textbox', { name: 'Milestone 2' }).fill('Final version');
  await page.getByText('They add up to the order.').waitFor();
  await page.getByText('113.7094750').waitFor();
  await assertAccessible(page);
  await picture(page, 'order-new');
  await stand.app.call(`POST /users/${sellerId}/suspend`, { body: {} });
  await page.getByRole('button', { name: 'Make the order' }).click();
  await page.getByRole('alert').filter({ hasText: 'The order was not made' }).getByText('INVALID_STATE').waitFor();
  await stand.app.call(`POST /users/${sellerId}/reactivate`, { body: {} });
  await page.getByRole('button', { name: 'Make the order' }).click();

  await page.getByRole('heading', { level: 1, name: 'Logo in two drafts' }).waitFor();
  await page.getByRole('button', { name: 'Reserve funds' }).click();
  const window = page.getByRole('alertdialog');
  await window.getByRole('row', { name: /Buyer, available 500\.00 −120\.01 379\.99 ?USD/ }).waitFor();
  await window.getByRole('row', { name: /Buyer, reserved 0\.00 \+120\.01 120\.01 ?USD/ }).waitFor();
  await assertAccessible(page);
  await picture(page, 'order-reserve');
  await window.getByRole('button', { name: 'Reserve 120.01 USD' }).click();
  await page.getByText('Next: create the escrow.').waitFor();

  await carryOut(page, 'Create escrow', 'Create escrow');
  await carryOut(page, 'Fund escrow', 'Pay 120.01 USD into escrow');
  const release = page.getByRole('button', { name: 'Release to seller' });
  await page.getByRole('heading', { level: 1, name: 'In progress' }).waitFor();
  assert.equal(await release.getAttribute('aria-disabled'), 'true');
  assert.match((await release.getAttribute('title')) ?? '', /Not yet completed: First draft, Final version/);
  await carryOut(page, 'Complete First draft', 'Mark as completed');
  await carryOut(page, 'Complete Final version', 'Mark as completed');

  await page.getByText('Milestones, 2 of 2 completed').waitFor();
  await release.click();
  await window.getByRole('row', { name: /Platform fees – \+6\.3005250/ }).waitFor();
  await window.getByRole('row', { name: /Seller, available 0\.0000000 \+113\.7094750 113\.7094750 USD/ }).waitFor();
  await window.getByRole('button', { name: 'Release 120.01 USD' }).click();
  await page.getByText('Closed: released').waitFor();
  const figures = page.getByRole('region', { name: 'The order in figures' });
  assert.match((await figures.textContent()) ?? '', /The seller got113\.7094750.*The platform kept6\.3005250/);
  await page.getByRole('img', { name: 'State of the order: now Closed' }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: /The release was asked for/ }).waitFor();
  await timeline.getByText('The seller is paid from the escrow').click();
  await timeline.getByText('seller, available', { exact: true }).waitFor();
  await timeline.getByRole('button', { name: 'Audit' }).click();
  await timeline.getByText('Order released', { exact: true }).waitFor();
  assert.match(page.url(), /show=posting%2Cledger%2Coperation%2Cevent%2Caudit/);
  const { data } = (await stand.app.call(`GET /users/${sellerId}/balance`)).body;
  assert.equal(data.available, '113.70');
  await assertAccessible(page);
  await page.setViewportSize({ width: 1280, height: 1700 });
  await page.getByRole('link', { name: 'Orders' }).last().scrollIntoViewIfNeeded();
  await picture(page, 'order-released');

  await page.goBack();
  await page.getByRole('link', { name: 'Logo in two drafts' }).waitFor();
  await page.getByRole('combobox', { name: 'Seller' }).fill('bert');
  await page.getByRole('option', { name: 'bert-sells' }).click();
  await page.getByText('Orders found, newest first').waitFor();
  assert.match(page.url(), new RegExp(`sellerId=${sellerId}`));
  await page.getByLabel('State').selectOption('DISPUTED');
  await page.getByText('No order is like that').waitFor();
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await page.getByRole('link', { name: 'Logo in two drafts' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Seller' }).inputValue(), '');
  await assertAccessible(page);
  await page.setViewportSize({ width: 1280, height: 860 });
  await picture(page, 'orders');
});

test('orders are found by words and people, and what others do is seen without a reload', async (t) => {
  const stand = await openStand(t);
  const shop = await shopIn(stand.app, { available: '900.00' });
  const wanted = await fundedOrder(shop, {
    ...{ title: 'Website for a bakery', amount: '100.00', clientOrderRef: 'cart-77' },
    milestones: TWO_MILESTONES,
  });
  await shop.order({ title: 'Flyer', amount: '30.00' });

  const list = await stand.open('/orders?q=bakery', { size: NARROW, scheme: 'dark' });
  await list.getByRole('link', { name: 'Website for a bakery' }).waitFor();
  assert.equal(await list.getByRole('link', { name: 'Flyer' }).count(), 0);
  await list.getByRole('button', { name: 'Clear' }).click();
  await list.getByRole('link', { name: 'Flyer' }).waitFor();
  await shop.order({ title: 'Made meanwhile', amount: '12.00' });
  await list.getByRole('link', { name: 'Made meanwhile' }).waitFor();
  await list.getByLabel('State').selectOption('IN_PROGRESS');
  await list.getByRole('link', { name: 'Flyer' }).waitFor({ state: 'detached' });
  assert.match(list.url(), /status=IN_PROGRESS/);
  await assertFits(list);
  await assertAccessible(list);
  await picture(list, 'orders-narrow');

  await list.getByRole('link', { name: 'Website for a bakery' }).click();
  await list.getByText('Milestones, 0 of 2 completed').waitFor();
  for (const { ref } of TWO_MILESTONES) await shop.done(`POST /orders/${wanted.id}/milestones/${ref}/complete`);
  await list.getByText('Milestones, 2 of 2 completed').waitFor();
  await assertFits(list);
  await assertAccessible(list);
  await list.setViewportSize({ width: 390, height: 3000 });
  await picture(list, 'order-narrow');
  await list.setViewportSize(NARROW);
  await shop.done(`POST /orders/${wanted.id}/resolution/release`);
  await list.getByText('Closed: released').waitFor();

  const unpaid = await shop.order({ title: 'Poster', amount: '30.00' });
  const looker = await stand.open(`/orders/${unpaid.id}`, { key: await stand.app.key(['read']), scheme: 'dark' });
  const reserve = looker.getByRole('button', { name: 'Reserve funds' });
  await reserve.waitFor();
  assert.equal(await reserve.getAttribute('aria-disabled'), 'true');
  await looker.getByRole('paragraph').filter({ hasText: 'Your key may only look' }).waitFor();
  await shop.done(`POST /orders/${unpaid.id}/reserve`);
  await looker.getByRole('heading', { level: 1, name: 'Funds reserved' }).waitFor();
  await assertAccessible(looker);
  await picture(looker, 'order-dark');

  const lost = await stand.open(`/orders/${NOBODY.order}`);
  await lost.getByText('The order could not be loaded').waitFor();
  await lost.getByText('ORDER_NOT_FOUND').waitFor();
});

test('a refund needs a reason and gives the buyer everything back', async (t) => {
  const stand = await openStand(t);
  const shop = await shopIn(stand.app, { available: '200.00' });
  const { id } = await fundedOrder(shop, { amount: '80.00', title: 'Translation' });
  const page = await stand.open(`/orders/${id}`);
  await page.getByRole('button', { name: 'Refund buyer' }).click();
  const window = page.getByRole('alertdialog');
  await window.getByRole('row', { name: /Buyer, available 120\.00 \+80\.00 200\.00 ?USD/ }).waitFor();
  const confirm = window.getByRole('button', { name: 'Refund 80.00 USD' });
  assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
  await window.getByLabel('Reason').fill('not needed any more');
  await confirm.click();
  await page.getByText('Closed: refunded').waitFor();
  assert.deepEqual(await shop.figures(), ['200.00', '0.00']);
});

test('a provider that does not answer is told of, and then it is done', async (t) => {
  const stand = await openOwnStand(t, { PROVIDER_TIMEOUT_MS: '1500' });
  const shop = await shopIn(stand.app, { available: '200.00' });
  const { id } = await shop.order({ amount: '80.00', title: 'Translation' });
  for (const step of ['reserve', 'escrow']) await shop.done(`POST /orders/${id}/${step}`);
  await stand.app.call('POST /sandbox/faults', { body: { operation: 'fund', fault: 'lost-answer', match: id } });
  const page = await stand.open(`/orders/${id}`);
  await page.getByRole('button', { name: 'Fund escrow' }).click();
  await page.getByRole('button', { name: 'Pay 80.00 USD into escrow' }).click();
  await page
    .getByText(/being carried out/i)
    .first()
    .waitFor();
  await page.getByText('The escrow is funded').waitFor();
  await page.getByRole('img', { name: 'State of the order: now In progress' }).waitFor();
  assert.deepEqual(await shop.figures(), ['120.00', '0.00']);

  const silence = { operation: 'release', fault: 'timeout', match: id, count: 1_000 };
  await stand.app.call('POST /sandbox/faults', { body: silence });
  await carryOut(page, 'Release to seller', 'Release 80.00 USD');
  await page.getByText('Releasing to the seller is being carried out').waitFor();
  await assertAccessible(page);
  await picture(page, 'order-working');
  await stand.app.call('DELETE /sandbox/faults');
  // It is tried again after a pause that grows with each attempt.
  await page.getByText('Closed: released').waitFor({ timeout: 60_000 });
  assert.deepEqual(await shop.figures(shop.sellerId), ['76.00', '0.00']);
});
