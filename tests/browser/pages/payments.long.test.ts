// Top-ups and withdrawals in the console: from the form to completion, through the sandbox page, and the errors of the
// server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/topups') };
});

const user = async (externalUserId: string, available: string): Promise<string> => {
  const { app } = shared();
  const body = { externalUserId, email: `${externalUserId}@shop.example` };
  const { id } = (await app.call('POST /users', { body })).body.data;
  await app.call(`POST /users/${id}/balance/credit`, { body: { amount: available } });
  return id;
};

const balances = (page: Page) => page.getByRole('region', { name: 'Balances' });

/** The steps of a payment without their times. */
const statesIn = async (page: Page, name: string): Promise<string[]> =>
  (await page.getByRole('list', { name }).getByRole('listitem').allTextContents()).map((words) =>
    words.replace(/just now|\d+ \w+ ago$/, '').trim(),
  );

test('a top-up is created, and credited without a reload when the payer confirms it', async () => {
  const { app, page } = shared();
  const userId = await user('anna-buys', '10.00');
  await page.getByText('No top-ups yet').waitFor();
  await page.getByRole('button', { name: 'New top-up' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Choose a user.').waitFor();
  await page.getByRole('dialog').getByLabel('User').fill('anna-buys');
  await page.getByRole('option', { name: 'anna-buys' }).click();
  await page.getByLabel('Amount').fill('25.50');
  await page.getByLabel('Description for the payer').fill('Pocket money');
  await page.getByRole('button', { name: 'Continue' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByText('No balance changes.').waitFor();
  await sure.getByText('Awaiting user confirmation').waitFor();
  await sure.getByText('Payment provider: create payin').waitFor();
  await sure.getByRole('button', { name: 'Request 25.50 USD' }).click();
  await page.getByText('Waiting for the payer').waitFor();
  const link = page.getByRole('link', { name: /the confirmation page/ });
  assert.match((await link.getAttribute('href')) ?? '', /^http:\/\/127\.0\.0\.1:\d+\/payin\//);
  assert.match((await link.getAttribute('rel')) ?? '', /noopener noreferrer/);
  const awaiting = ['Created', 'Awaiting user confirmation', 'Processingupcoming', 'Succeededupcoming'];
  assert.deepEqual(await statesIn(page, 'Top-up progress'), awaiting);

  const topupId = new URL(page.url()).pathname.split('/').at(-1)!;
  assert.equal((await app.call(`POST /sandbox/payins/${topupId}/confirm`)).status, 200);
  await page.getByText('Paid and credited').waitFor();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByRole('row', { name: /^Succeeded/ }).waitFor();
  await goTo(page, `/users/${userId}?tab=topups`);
  await page.getByRole('row', { name: /Succeeded 25\.50 ?USD Pocket money/ }).waitFor();
  await balances(page)
    .getByRole('row', { name: /USD 35\.50 0\.00 35\.50/ })
    .waitFor();
});

/** From the page of a user to the confirmation, with an invalid address. */
const fillWithdrawal = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'New withdrawal' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Amount').fill('100.01');
  await form.getByText('100.00 USD available').waitFor();
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByText('Only 100.00 USD is available.').waitFor();
  await form.getByLabel('Destination', { exact: true }).selectOption('crypto');
  await form.getByLabel('Amount').fill('40.00');
  await form.getByLabel('Ledger address').fill('GNOTANADDRESS');
  await form.getByLabel('Memo type').selectOption('id');
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByText('Enter the memo, or choose “No memo”.').waitFor();
  await form.getByLabel('Memo', { exact: true }).fill('1234567');
  await form.getByRole('button', { name: 'Continue' }).click();
};

test('a withdrawal is reserved, committed and completed in the sandbox, and an error of the server is shown', async () => {
  const { app, page } = shared();
  const userId = await user('bert-sells', '100.00');
  await goTo(page, `/users/${userId}`);
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/withdrawals'));
  await fillWithdrawal(page);
  const form = page.getByRole('dialog');
  const sure = page.getByRole('alertdialog');
  await sure.getByText(/GNOTANADDRESS.*, with the memo .*1234567.* \(id\)/).waitFor();
  const { destination } = (await asked).postDataJSON();
  assert.deepEqual(destination, { type: 'crypto', address: 'GNOTANADDRESS', memoType: 'id', memo: '1234567' });
  await sure.getByText('The server would refuse this').waitFor();
  await sure.getByText('WITHDRAWAL_DESTINATION_INVALID · request').waitFor();
  const reserve = sure.getByRole('button', { name: 'Reserve 40.00 USD' });
  assert.equal(await reserve.getAttribute('aria-disabled'), 'true');
  await assertAccessible(page);
  await sure.getByRole('button', { name: 'Cancel', exact: true }).click();
  await form.getByLabel('Destination', { exact: true }).selectOption('bank');
  await form.getByLabel('Label').fill('ending in 1234');
  await form.getByRole('button', { name: 'Continue' }).click();
  await sure.getByRole('row', { name: /Available 100\.00 −40\.00 60\.00 ?USD/ }).waitFor();
  await sure.getByRole('row', { name: /Reserved 0\.00 \+40\.00 40\.00 ?USD/ }).waitFor();
  await reserve.click();

  await page.getByText('Waiting for commit').waitFor();
  await page.getByRole('button', { name: 'Commit', exact: true }).click();
  await sure.getByText('Payment provider: commit payout').waitFor();
  await sure.getByText('Committed', { exact: true }).waitFor();
  await sure.getByRole('button', { name: 'Pay out 40.00 USD' }).click();
  await page.getByText('Payout in progress').waitFor();
  assert.match(
    (await page.getByRole('button', { name: /^Commit/ }).getAttribute('title')) ?? '',
    /status is: committed/,
  );
  const place = new URL(page.url()).pathname.replace('/console', '');
  const topup = (await app.call('POST /topups', { body: { userId, amount: '5.00', currency: 'USD' } })).body.data;

  await goTo(page, '/sandbox');
  const payouts = page.getByRole('region', { name: 'Pending payouts' });
  await payouts.getByRole('button', { name: /^Require user action/ }).click();
  await payouts.getByRole('button', { name: /^Require user action/ }).waitFor({ state: 'detached' });
  await goTo(page, place);
  await page.getByText('Waiting for the user').waitFor();
  await goTo(page, '/sandbox');
  await payouts.getByRole('button', { name: /^Complete/ }).click();
  await page.getByRole('region', { name: 'Pending pay-ins' }).getByRole('button', { name: 'Confirm top_' }).click();
  await page.getByText('Pay-in: confirmed').waitFor();
  const webhooks = page.getByRole('region', { name: 'Webhooks sent' });
  await webhooks.getByRole('row', { name: new RegExp(`${topup.id.slice(-6)} payin\\.confirmed delivered`) }).waitFor();
  await goTo(page, place);
  await page.getByText('was paid out of the balance').waitFor();
  await page.getByRole('list', { name: 'Withdrawal progress' }).getByText('Completed').waitFor();
  await page.getByText('Withdrawal pending user action').or(page.getByText('Pending user action')).first().waitFor();
  await page.getByRole('link', { name: 'View statement' }).click();
  await balances(page)
    .getByRole('row', { name: /USD 65\.00 0\.00 65\.00/ })
    .waitFor();
});

test('the lists are filtered by the URL, and a row opens its payment, which updates live', async () => {
  const { app, page } = shared();
  const userId = await user('cleo-does-both', '90.00');
  const body = { userId, amount: '12.00', currency: 'USD' };
  const topup = (await app.call('POST /topups', { body })).body.data;
  await app.call(`POST /topups/${topup.id}/cancel`, { body: { reason: 'changed my mind' } });
  await app.call('POST /topups', { body: { ...body, amount: '13.00' } });
  const destination = { type: 'bank', ref: 'ending in 9' };
  const withdrawal = (await app.call('POST /withdrawals', { body: { ...body, destination } })).body.data;

  await goTo(page, '/topups?status=TOPUP_CANCELED');
  await page.getByText('12.00').waitFor();
  assert.equal(await page.getByText('13.00').count(), 0);
  await page.getByLabel('Status').selectOption('');
  await page.getByText('13.00').waitFor();
  await page.getByLabel('Status').selectOption('TOPUP_FAILED');
  await page.getByText('No matching top-ups').waitFor();
  await goTo(page, `/topups/${topup.id}`);
  await page.getByText('Top-up canceled').waitFor();
  await page.getByText('changed my mind').first().waitFor();

  await goTo(page, `/withdrawals?userId=${userId}`);
  await page.getByRole('row', { name: /cleo-does-both Created 12\.00 ?USD Bank account, ending in 9/ }).click();
  await page.getByText('Waiting for commit').waitFor();
  assert.ok(page.url().endsWith(withdrawal.id));
  await app.call(`POST /withdrawals/${withdrawal.id}/commit`);
  await page.getByText('Payout in progress').waitFor();
});
