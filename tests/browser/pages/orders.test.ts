// The order pages: an order from creation to release. orders.long.test.ts has the other ends, the search and live updates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/orders') };
});

const user = async (externalUserId: string): Promise<string> =>
  (await shared().app.call('POST /users', { body: { externalUserId } })).body.data.id;

const choose = async (page: Page, label: string, name: string): Promise<void> => {
  await page.getByRole('dialog').getByLabel(label).fill(name);
  await page.getByRole('option', { name }).click();
};

/** Clicks the button of the page, then the button of the confirmation. */
const carryOut = async (page: Page, verb: string, confirm: string | RegExp): Promise<void> => {
  await page.getByRole('button', { name: verb, exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
};

test('an order is created, funded, completed and released on its page', async () => {
  const { app, page } = shared();
  const buyerId = await user('anna-buys');
  const sellerId = await user('bert-sells');
  await app.call(`POST /users/${buyerId}/balance/credit`, { body: { amount: '500.00' } });

  await page.getByText('No orders yet').waitFor();
  await page.getByRole('button', { name: 'New order' }).click();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByText('Choose a buyer.').waitFor();
  await choose(page, 'Buyer', 'anna-buys');
  await choose(page, 'Seller', 'bert-sells');
  await page.getByLabel('Title').fill('Logo in two drafts');
  await page.getByLabel('Amount', { exact: true }).fill('120.01');
  await page.getByLabel('Platform fee, %').fill('5.25');
  await page.getByRole('button', { name: 'Add milestone' }).click();
  await page.getByRole('textbox', { name: 'Milestone 1' }).fill('First draft');
  await page.getByLabel('Amount of 1').fill('70.00');
  await page.getByText('50.01 USD remaining').waitFor();
  await page.getByRole('button', { name: 'Add milestone' }).click();
  await page.getByRole('textbox', { name: 'Milestone 2' }).fill('Final version');
  await page.getByText('The milestones add up to the order amount.').waitFor();
  await page.getByRole('row', { name: /Seller, on release \+113\.70 ?USD/ }).waitFor();
  await assertAccessible(page);
  await app.call(`POST /users/${sellerId}/suspend`, { body: {} });
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByRole('alert').filter({ hasText: 'The order was not created' }).getByText('INVALID_STATE').waitFor();
  await app.call(`POST /users/${sellerId}/reactivate`, { body: {} });
  await page.getByRole('button', { name: 'Create order' }).click();

  await page.getByRole('heading', { level: 1, name: 'Logo in two drafts' }).waitFor();
  await page.getByRole('button', { name: 'Reserve funds' }).click();
  const window = page.getByRole('alertdialog');
  await window.getByRole('row', { name: /Buyer, available 500\.00 −120\.01 379\.99 ?USD/ }).waitFor();
  await window.getByRole('row', { name: /Buyer, reserved 0\.00 \+120\.01 120\.01 ?USD/ }).waitFor();
  await assertAccessible(page);
  await window.getByRole('button', { name: 'Reserve 120.01 USD' }).click();
  await page.getByText('Next: create the escrow.').waitFor();

  await carryOut(page, 'Create escrow', 'Create escrow');
  await carryOut(page, 'Fund escrow', 'Pay 120.01 USD into escrow');
  const release = page.getByRole('button', { name: 'Release to seller' });
  await page.getByRole('heading', { level: 1, name: 'In progress' }).waitFor();
  assert.equal(await release.getAttribute('aria-disabled'), 'true');
  assert.match((await release.getAttribute('title')) ?? '', /Open milestones: First draft, Final version/);
  await carryOut(page, 'Complete First draft', 'Mark as completed');
  await carryOut(page, 'Complete Final version', 'Mark as completed');

  await page.getByText('Milestones, 2 of 2 completed').waitFor();
  await release.click();
  await window.getByRole('row', { name: /Platform fees – \+6\.300525/ }).waitFor();
  await window.getByRole('row', { name: /Seller, available 0\.000000 \+113\.709475 113\.709475 USD/ }).waitFor();
  await window.getByRole('button', { name: 'Release 120.01 USD' }).click();
  await page.getByText('Closed: released').waitFor();
  const figures = page.getByRole('region', { name: 'Amounts' });
  assert.match((await figures.textContent()) ?? '', /Seller received113\.709475.*Platform fee6\.300525/);
  await page.getByRole('img', { name: 'Order status: now Closed' }).waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByRole('button', { name: /Release requested/ }).waitFor();
  await timeline.getByText('The seller is paid from the escrow').click();
  await timeline.getByText('seller, available', { exact: true }).waitFor();
  await timeline.getByRole('button', { name: 'Audit' }).click();
  await timeline.getByText('Order released', { exact: true }).waitFor();
  assert.match(page.url(), /show=posting%2Cledger%2Coperation%2Cevent%2Cnote%2Cevidence%2Cmessage%2Caudit/);
  const { data } = (await app.call(`GET /users/${sellerId}/balance`)).body;
  assert.equal(data.available, '113.70');

  await page.goBack();
  await page.getByRole('link', { name: 'Logo in two drafts' }).waitFor();
  await page.getByRole('combobox', { name: 'Seller' }).fill('bert');
  await page.getByRole('option', { name: 'bert-sells' }).click();
  await page.getByText('Matching orders, newest first').waitFor();
  assert.match(page.url(), new RegExp(`sellerId=${sellerId}`));
  await page.getByLabel('Status').selectOption('DISPUTED');
  await page.getByText('No matching orders').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByRole('link', { name: 'Logo in two drafts' }).waitFor();
  assert.equal(await page.getByRole('combobox', { name: 'Seller' }).inputValue(), '');
});
