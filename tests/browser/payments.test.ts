// Money in and out in the console: a top-up and a withdrawal from their forms to the end, decided in the sandbox panel
// while another page looks on; and what is refused, said as the server says it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.ts';
import { NARROW, openStand } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

const user = async (app: TestApp, externalUserId: string, available?: string): Promise<string> => {
  const { id } = (await app.call('POST /users', { body: { externalUserId, email: `${externalUserId}@shop.example` } }))
    .body.data;
  if (available) await app.call(`POST /users/${id}/balance/credit`, { body: { amount: available } });
  return id;
};

const choose = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('dialog').getByLabel('User').fill(name);
  await page.getByRole('option', { name }).click();
};

const balances = (page: Page) => page.getByRole('region', { name: 'Balances' });

test('a top-up is made, confirmed in the sandbox panel, and credited without a reload', async (t) => {
  const stand = await openStand(t);
  const userId = await user(stand.app, 'anna-buys', '10.00');
  const looking = await stand.open(`/users/${userId}?tab=topups`);
  await balances(looking)
    .getByRole('row', { name: /USD 10\.00 0\.00 10\.00/ })
    .waitFor();
  await looking.getByText('No top-ups').waitFor();

  const page = await stand.open('/topups');
  await page.getByText('No top-ups yet').waitFor();
  await page.getByRole('button', { name: 'New top-up' }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByText('Choose whose balance it is for.').waitFor();
  await choose(page, 'anna-buys');
  await page.getByLabel('Amount').fill('25.50');
  await page.getByLabel('What the payer reads').fill('Pocket money');
  await assertAccessible(page);
  await picture(page, 'topup-new');
  await page.getByRole('button', { name: 'Go on' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('row', { name: /once it is paid 10\.00 \+25\.50 35\.50 ?USD/ }).waitFor();
  await sure.getByRole('button', { name: 'Ask for 25.50 USD' }).click();
  await page.getByText('It waits for the payer').waitFor();
  const link = page.getByRole('link', { name: /the confirmation page/ });
  assert.match((await link.getAttribute('href')) ?? '', /^http:\/\/127\.0\.0\.1:\d+\/payin\//);
  assert.match((await link.getAttribute('rel')) ?? '', /noopener noreferrer/);
  const way = page.getByRole('list', { name: 'States of the top-up' });
  assert.deepEqual(
    (await way.getByRole('listitem').allTextContents()).map((words) => words.replace(/just now|.*ago$/, '').trim()),
    ['Created', 'Awaiting user confirmation', 'Processingmay follow', 'Succeededmay follow'],
  );
  await assertAccessible(page);
  await picture(page, 'topup');
  await looking.getByRole('row', { name: /Awaiting user confirmation 25\.50 ?USD Pocket money/ }).waitFor();

  const { pathname } = new URL(page.url());
  await page.getByRole('link', { name: 'decide it in the sandbox' }).click();
  await page.getByRole('region', { name: 'Payins that wait' }).getByRole('button', { name: 'Confirm top_' }).click();
  await page.getByText('The payin is confirmed').waitFor();
  await balances(looking)
    .getByRole('row', { name: /USD 35\.50 0\.00 35\.50/ })
    .waitFor();
  await looking.getByRole('row', { name: /Succeeded 25\.50 ?USD/ }).waitFor();
  await page
    .getByRole('region', { name: 'Webhooks sent' })
    .getByRole('row', { name: /top_.*payin\.confirmed delivered/ })
    .waitFor();
  await page.goBack();
  assert.equal(new URL(page.url()).pathname, pathname);
  await page.getByText('Paid and credited').waitFor();
  await page
    .getByRole('region', { name: 'What happened' })
    .getByRole('row', { name: /^Succeeded/ })
    .waitFor();
});

test('a withdrawal is set aside, committed, and completed in the panel; and the server’s refusal is told', async (t) => {
  const stand = await openStand(t);
  const userId = await user(stand.app, 'bert-sells', '100.00');
  const page = await stand.open(`/users/${userId}`);
  await page.getByRole('link', { name: 'New withdrawal' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Amount').fill('100.01');
  await form.getByText('100.00 USD available').waitFor();
  await form.getByRole('button', { name: 'Go on' }).click();
  await form.getByText('Only 100.00 USD is available.').waitFor();
  await form.getByLabel('To', { exact: true }).selectOption('crypto');
  await form.getByLabel('Amount').fill('40.00');
  await form.getByLabel('Address on the ledger').fill('GNOTANADDRESS');
  await form.getByRole('button', { name: 'Go on' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('row', { name: /Available 100\.00 −40\.00 60\.00 ?USD/ }).waitFor();
  await sure.getByRole('row', { name: /Reserved 0\.00 \+40\.00 40\.00 ?USD/ }).waitFor();
  await sure.getByRole('button', { name: 'Set 40.00 USD aside' }).click();
  await sure.getByText('WITHDRAWAL_DESTINATION_INVALID · request').waitFor();
  await assertAccessible(page);
  await picture(page, 'withdrawal-refused');
  await sure.getByRole('button', { name: 'Leave it' }).click();
  await form.getByLabel('To', { exact: true }).selectOption('bank');
  await form.getByLabel('Your label of it').fill('ending in 1234');
  await assertAccessible(page);
  await picture(page, 'withdrawal-new');
  await form.getByRole('button', { name: 'Go on' }).click();
  await sure.getByRole('button', { name: 'Set 40.00 USD aside' }).click();

  await page.getByText('It waits to be committed').waitFor();
  await page.getByRole('button', { name: 'Commit', exact: true }).click();
  await sure.getByRole('row', { name: /once it is paid 40\.00 −40\.00 0\.00 ?USD/ }).waitFor();
  await sure.getByRole('button', { name: 'Pay out 40.00 USD' }).click();
  await page.getByText('It is on its way').waitFor();
  assert.match((await page.getByRole('button', { name: /^Commit/ }).getAttribute('title')) ?? '', /is committed/);

  const panel = await stand.open('/sandbox', { scheme: 'dark' });
  const payouts = panel.getByRole('region', { name: 'Payouts that wait' });
  await payouts.getByRole('button', { name: /^Ask the user/ }).waitFor();
  await assertAccessible(panel);
  await picture(panel, 'sandbox-payouts-dark');
  await payouts.getByRole('button', { name: /^Ask the user/ }).click();
  await page.getByText('It waits for the user').waitFor();
  await payouts.getByRole('button', { name: /^Complete/ }).click();
  await page.getByRole('list', { name: 'States of the withdrawal' }).getByText('Completed').waitFor();
  await page.getByText('has left the balance').waitFor();
  await page.getByText('Withdrawal pending user action').or(page.getByText('Pending user action')).first().waitFor();
  await assertAccessible(page);
  await picture(page, 'withdrawal');
  await page.getByRole('link', { name: 'See the statement' }).click();
  await balances(page)
    .getByRole('row', { name: /USD 60\.00 0\.00 60\.00/ })
    .waitFor();
});

test('the lists are filtered by the URL, fit a phone, and are accessible in the dark', async (t) => {
  const stand = await openStand(t);
  const userId = await user(stand.app, 'cleo-does-both', '90.00');
  const body = { userId, amount: '12.00', currency: 'USD' };
  const topup = (await stand.app.call('POST /topups', { body })).body.data;
  await stand.app.call(`POST /topups/${topup.id}/cancel`, { body: { reason: 'changed my mind' } });
  await stand.app.call('POST /topups', { body: { ...body, amount: '13.00' } });
  const destination = { type: 'bank', ref: 'ending in 9' };
  const withdrawal = (await stand.app.call('POST /withdrawals', { body: { ...body, destination } })).body.data;

  const page = await stand.open('/topups?status=TOPUP_CANCELED', { size: NARROW, scheme: 'dark' });
  await page.getByText('12.00').waitFor();
  assert.equal(await page.getByText('13.00').count(), 0);
  await page.getByLabel('Status').selectOption('');
  await page.getByText('13.00').waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await picture(page, 'topups-narrow');
  await page.getByLabel('Status').selectOption('TOPUP_FAILED');
  await page.getByText('No top-up fits these filters').waitFor();

  await page.goto(`${stand.app.url}/console/topups/${topup.id}`);
  await signedInAgain(page, stand.app);
  await page.getByText('It was cancelled').waitFor();
  await page.getByText('changed my mind').first().waitFor();
  await assertFits(page);
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 1900 });
  await picture(page, 'topup-narrow');

  const wide = await stand.open(`/withdrawals?userId=${userId}`, { scheme: 'dark' });
  await wide.getByRole('row', { name: /cleo-does-both/ }).waitFor();
  await assertAccessible(wide);
  await picture(wide, 'withdrawals-dark');
  await wide.getByRole('row', { name: /cleo-does-both Created 12\.00 ?USD Bank account, ending in 9/ }).click();
  await wide.getByText('It waits to be committed').waitFor();
  assert.ok(wide.url().endsWith(withdrawal.id));
  await assertAccessible(wide);
  await picture(wide, 'withdrawal-dark');
});

const signedInAgain = async (page: Page, app: TestApp): Promise<void> => {
  await page.getByLabel('API key or token').fill(await app.key(['*']));
  await page.getByRole('button', { name: 'Sign in' }).click();
};
