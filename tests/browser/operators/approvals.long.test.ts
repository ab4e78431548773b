// Two people: one sets a rule and asks, another one decides. The menu counts what waits, and the audit trail names both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import { MASTER_KEY } from '../../support/app.ts';
import { anOperator } from '../../support/operator-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, keyField, openBrowser } from '../support/browser-fixture.ts';
import { openAs } from '../support/operator-pages.ts';
import { assertAccessible, assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const { app } = fixture;
  const { marketplaceId } = app;
  const ada = await anOperator(app, { role: 'admin', name: 'Ada Lovelace', marketplaceId });
  const grace = await anOperator(app, { role: 'finance', name: 'Grace Hopper', marketplaceId });
  const userId = await app.aUser({ available: '10.00' });
  const first = await fixture.open('/', { key: null });
  await openAs(first, { app, cookie: ada.cookie, place: '/approvals/rules' });
  const second = await fixture.open('/', { key: null });
  await openAs(second, { app, cookie: grace.cookie, place: `/users/${userId}` });
  return { ...fixture, ada: first, grace: second, graceId: grace.id, userId };
});

const credit = async (page: Page, amount: string): Promise<void> => {
  await page.getByRole('button', { name: 'Credit' }).click();
  await page.getByLabel('Amount').fill(amount);
  await page.getByLabel('Reason').fill('Goodwill');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alertdialog').getByText('A rule makes this request wait for another person.').waitFor();
  await page.getByRole('button', { name: `Credit ${amount} USD` }).click();
  await page.getByRole('alertdialog').getByText('Waits for approval').waitFor();
};

test('an administrator edits the rules, and the confirmation warns of rules that one person can remove', async () => {
  const { ada } = shared();
  await ada.getByText('One person can move any sum.').waitFor();
  await ada.getByRole('button', { name: 'Edit rules' }).click();
  await ada.getByRole('button', { name: 'Add rule' }).click();
  await ada.getByLabel('Action').selectOption('balance.credit');
  await ada.getByLabel('From amount').fill('abc');
  await ada.getByRole('button', { name: 'Review and save' }).click();
  assert.equal(await ada.getByLabel('From amount').getAttribute('aria-invalid'), 'true');
  await ada.getByLabel('From amount').fill('100');
  await ada.getByLabel('Currency').selectOption('USD');
  await assertGoodInBothViews(ada);
  await ada.getByRole('button', { name: 'Review and save' }).click();
  await ada.getByRole('alertdialog').getByText('one person can remove them').waitFor();
  await ada.getByRole('button', { name: 'Save rules' }).click();
  await ada.getByText('Credit a balance from 100.00 USD, by every caller').waitFor();
});

test('a request under the rule waits: the dialog says so, with a link, and offers no second try', async () => {
  const { app, grace, userId } = shared();
  await credit(grace, '250.00');
  const dialog = grace.getByRole('alertdialog');
  assert.equal(await dialog.getByRole('button', { name: /^Credit/ }).count(), 0);
  await assertAccessible(grace);
  await dialog.getByRole('link', { name: 'Open the request' }).click();
  await grace.getByRole('heading', { level: 1, name: /Credit a balance.*Pending/ }).waitFor();
  assert.equal((await app.call(`GET /users/${userId}/balance`)).body.data.available, '10.00');
});

test('the requester sees why it cannot decide, and the menu of the other one counts the request at once', async () => {
  const { ada, grace } = shared();
  await grace.getByText('You asked for this, so another person decides').first().waitFor();
  const approve = grace.getByRole('button', { name: 'Approve' });
  assert.match((await approve.getAttribute('title')) ?? '', /You asked for this/);
  await assertGoodInBothViews(grace);
  await ada.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals 1 waiting' }).waitFor();
});

test('another operator sees the figures, approves once, and the money moves', async () => {
  const { app, ada, grace, userId } = shared();
  await ada
    .getByRole('navigation', { name: 'Pages' })
    .getByRole('link', { name: /^Approvals/ })
    .click();
  await ada.getByRole('row', { name: /Credit a balance 250\.00 ?USD.*Grace Hopper/ }).waitFor();
  await assertGoodInBothViews(ada);
  await ada.getByRole('link', { name: 'Credit a balance' }).click();
  await ada
    .getByRole('region', { name: 'What it would do now' })
    .getByRole('row', { name: /Available 10\.00 \+250\.00 260\.00/ })
    .waitFor();
  await assertGoodInBothViews(ada);
  await ada.getByRole('button', { name: 'Approve' }).click();
  const sure = ada.getByRole('alertdialog');
  await sure.getByRole('row', { name: /Available 10\.00 \+250\.00 260\.00/ }).waitFor();
  await sure.getByRole('button', { name: 'Approve' }).click();
  await ada.getByText('Approved and carried out once.').waitFor();
  assert.equal((await app.call(`GET /users/${userId}/balance`)).body.data.available, '260.00');
  await grace.getByText('Decided by Ada Lovelace.').waitFor();
  await ada.getByRole('link', { name: 'Approvals', exact: true }).first().waitFor();
});

test('the audit trail shows the names of both', async () => {
  const { ada, userId } = shared();
  await goTo(ada, `/audit?resourceId=${userId}&action=BALANCE_CREDITED`);
  await ada.getByRole('row', { name: /Balance credited.*Grace Hopper/ }).waitFor();
});

test('a rejection takes a reason, and the requester reads it', async () => {
  const { ada, grace, userId } = shared();
  await goTo(grace, `/users/${userId}`);
  await credit(grace, '300.00');
  await grace.getByRole('link', { name: 'Open the request' }).click();
  await goTo(ada, '/approvals');
  await ada.getByRole('link', { name: 'Credit a balance' }).click();
  await ada.getByRole('button', { name: 'Reject' }).click();
  await ada.getByLabel('Reason').fill('Twice the sum');
  await ada.getByRole('alertdialog').getByRole('button', { name: 'Reject' }).click();
  await grace.getByText('Reason: “Twice the sum”').waitFor();
  await ada.getByText('Rejected. Nothing moved.').waitFor();
});

test('the requester cancels an own request', async () => {
  const { app, grace, userId, graceId } = shared();
  await goTo(grace, `/users/${userId}`);
  await credit(grace, '400.00');
  await grace.getByRole('link', { name: 'Open the request' }).click();
  await grace.getByRole('button', { name: 'Cancel request' }).click();
  await grace.getByRole('alertdialog').getByRole('button', { name: 'Cancel request' }).click();
  await grace.getByText('Canceled by the requester. Nothing moved.').waitFor();
  const { body } = await app.call(`GET /approvals?requestedBy=${graceId}&status=CANCELED`);
  assert.equal(body.data.data.length, 1);
});

test('the release of an order waits too, and the approval shows buyer and seller with their figures', async () => {
  const { app, ada, grace } = shared();
  const rules = [{ action: 'order.release' }, { action: 'api-key.create' }];
  assert.equal((await app.call('PUT /approval-rules', { body: rules })).status, 200);
  const trade = await tradeIn(app, { available: '500.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '120.00' });
  await goTo(grace, `/orders/${order.id}`);
  await grace.getByRole('button', { name: 'Release to seller' }).click();
  await grace.getByRole('button', { name: 'Release 120.00 USD' }).click();
  await grace.getByText('Waits for approval').waitFor();
  await goTo(ada, '/approvals');
  await ada.getByRole('link', { name: 'Release an order' }).click();
  await ada.getByRole('row', { name: /Seller, available 0\.00.* \+1\d\d\./ }).waitFor();
  await ada.getByRole('button', { name: 'Approve' }).click();
  await ada.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  await ada.getByText('Approved and carried out once.').waitFor();
  assert.equal((await app.call(`GET /orders/${order.id}`)).body.data.data.status, 'CLOSED');
});

test('a new key waits: its text is shown once, and it works after the approval', async () => {
  const { app, ada, open } = shared();
  const page = await open('/keys', { key: null });
  await (await keyField(page)).fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Marketplace').fill(app.marketplaceId);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Payout program');
  await page
    .getByRole('dialog')
    .getByLabel(/payout/i)
    .first()
    .check();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('heading', { name: 'The key waits for approval' }).waitFor();
  const key = (await page.locator('.secret').textContent()) ?? '';
  assert.equal((await app.call('GET /auth/me', { key })).status, 401);
  await goTo(ada, '/approvals');
  await ada.getByRole('link', { name: 'Create an API key' }).click();
  await ada.getByRole('button', { name: 'Approve' }).click();
  await ada.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  await ada.getByText('Approved and carried out once.').waitFor();
  assert.equal((await ada.content()).includes(key), false);
  assert.equal((await app.call('GET /auth/me', { key })).status, 200);
});
