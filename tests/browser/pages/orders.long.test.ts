// The page of an order: a refund, a provider that does not answer, and a key that may only read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TWO_MILESTONES, tradeIn, UNKNOWN } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, openBrowser } from '../support/browser-fixture.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/orders') };
});

test('a refund requires a reason and returns the full amount to the buyer', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '200.00' });
  const { id } = await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00', title: 'Translation' });
  await goTo(page, `/orders/${id}`);
  await page.getByRole('button', { name: 'Refund buyer' }).click();
  const window = page.getByRole('alertdialog');
  await window.getByRole('row', { name: /Buyer, available 120\.00 \+80\.00 200\.00 ?USD/ }).waitFor();
  const confirm = window.getByRole('button', { name: 'Refund 80.00 USD' });
  assert.equal(await confirm.getAttribute('aria-disabled'), 'true');
  await window.getByLabel('Reason').fill('not needed any more');
  await confirm.click();
  await page.getByText('Closed: refunded').waitFor();
  assert.deepEqual(await trade.figures(), ['200.00', '0.00']);
});

test('a lost provider answer is shown as in progress, and then the operation completes', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '200.00' });
  const { id } = await trade.anOrder({ amount: '80.00', title: 'Poster' });
  for (const step of ['reserve', 'escrow']) await trade.done(`POST /orders/${id}/${step}`);
  await app.call('POST /sandbox/faults', { body: { operation: 'fund', fault: 'lost-answer', match: id } });
  await goTo(page, `/orders/${id}`);
  await page.getByRole('button', { name: 'Fund escrow' }).click();
  await page.getByRole('button', { name: 'Pay 80.00 USD into escrow' }).click();
  await page
    .getByText(/^(Funding escrow|In progress) …/)
    .first()
    .waitFor({ timeout: 60_000 });
  await page.getByText('Next: release to the seller when the work is done.').waitFor();
  await page.getByRole('img', { name: 'Order status: now In progress' }).waitFor();
  assert.deepEqual(await trade.figures(), ['120.00', '0.00']);
});

test('a read-only key sees why actions are disabled, and an unknown order is not found', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '100.00' });
  const { id } = await trade.anOrder({ title: 'Business cards', amount: '30.00' });
  await goTo(page, `/orders/${id}`);
  await changeKey(page, await app.key(['read']));
  const reserve = page.getByRole('button', { name: 'Reserve funds' });
  await reserve.waitFor();
  assert.equal(await reserve.getAttribute('aria-disabled'), 'true');
  await page.getByRole('paragraph').filter({ hasText: 'Your key is read-only' }).waitFor();
  await trade.done(`POST /orders/${id}/reserve`);
  await page.getByRole('heading', { level: 1, name: 'Funds reserved' }).waitFor();

  await goTo(page, `/orders/${UNKNOWN.order}`);
  await page.getByText('Order could not be loaded').waitFor();
  await page.getByText('ORDER_NOT_FOUND').waitFor();
});

test('orders are found by text, and changes of others appear without a reload', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '900.00' });
  const wanted = await trade.anOrder({
    at: 'IN_PROGRESS',
    title: 'Website for a bakery',
    amount: '100.00',
    clientOrderRef: 'cart-77',
    milestones: TWO_MILESTONES,
  });
  await trade.anOrder({ title: 'Flyer', amount: '30.00' });

  await goTo(page, '/orders?q=bakery');
  await page.getByRole('link', { name: 'Website for a bakery' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Flyer' }).count(), 0);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('link', { name: 'Flyer' }).waitFor();
  await trade.anOrder({ title: 'Created later', amount: '12.00' });
  await page.getByRole('link', { name: 'Created later' }).waitFor();
  await page.getByLabel('Status').selectOption('IN_PROGRESS');
  await page.getByRole('link', { name: 'Flyer' }).waitFor({ state: 'detached' });
  assert.match(page.url(), /status=IN_PROGRESS/);

  await page.getByRole('link', { name: 'Website for a bakery' }).click();
  await page.getByText('Milestones, 0 of 2 completed').waitFor();
  for (const { ref } of TWO_MILESTONES) await trade.done(`POST /orders/${wanted.id}/milestones/${ref}/complete`);
  await page.getByText('Milestones, 2 of 2 completed').waitFor();
  await trade.done(`POST /orders/${wanted.id}/resolution/release`);
  await page.getByText('Closed: released').waitFor();
});
