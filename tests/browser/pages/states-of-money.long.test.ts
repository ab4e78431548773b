// Users, top-ups, withdrawals and the sandbox in further states: forms, confirmations and errors. Each is checked at
// both widths and in both colour schemes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../tools/until.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, openBrowser, openOwnBrowser } from '../support/browser-fixture.ts';
import { checkState } from '../support/check-state.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const key = await fixture.app.key(['*']);
  const userId = await fixture.app.aUser({ available: '100.00' });
  return { ...fixture, key, userId, page: await fixture.open('/users', { key }) };
});

/** The ledger address of the user, once the wallet is active. */
const addressOf = async (userId: string): Promise<string> => {
  const { app } = shared();
  const isActive = async () => (await app.call(`GET /users/${userId}/wallet`)).body.data?.isActive === true;
  await app.call(`GET /users/${userId}/wallet/deposit`);
  await until(isActive, 'the wallet is active on the ledger');
  return (await app.call(`GET /users/${userId}/wallet/deposit`)).body.data.address;
};

test('the forms of a user are accessible and fit, with errors and confirmed', async () => {
  const { userId, page } = shared();
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('Enter the ID of the user').waitFor();
  await checkState(page, 'user-new-refused');
  await page.keyboard.press('Escape');

  await goTo(page, `/users/${userId}`);
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await page.getByLabel('Amount').fill('250.00');
  await page.getByLabel('Reason').fill('Goodwill after ticket 4711');
  await checkState(page, 'user-credit-form');
  await page.getByRole('button', { name: 'Continue' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('row', { name: /Available 100\.00 \+250\.00 350\.00 ?USD/ }).waitFor();
  await checkState(page, 'user-credit');
  await confirmation.getByRole('button', { name: 'Credit 250.00 USD' }).click();
  await page.getByText('Available is now 350.00 USD').waitFor();
  await confirmation.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Link account' }).click();
  // A message about the credit is a dialog too, for some seconds.
  const dialog = page.getByRole('dialog', { name: 'Link payment account' });
  await dialog.getByLabel('E-mail address').fill('not-an-address');
  await dialog.getByRole('button', { name: 'Link account' }).click();
  await dialog.getByRole('alert').waitFor();
  await checkState(page, 'user-link-refused');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
});

test('a user is accessible and fits with a deposit, with reservations, suspended, and for a read-only key', async () => {
  const { app, key, page } = shared();
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ amount: '120.00', title: 'Logo design' });
  await trade.done(`POST /orders/${order.id}/reserve`);
  const address = await addressOf(trade.buyerId);
  await app.call('POST /sandbox/faucet', { body: { address, asset: 'USDC', amount: '25.5' } });
  for (const [tab, text] of [
    ['wallet', /Payment \+25\.5000000 ?USDC/],
    ['reservations', /Active 120\.00 ?USD/],
    ['orders', /Logo design Buyer/],
  ] as const) {
    await goTo(page, `/users/${trade.buyerId}?tab=${tab}`);
    await page.getByRole('row', { name: text }).waitFor();
    await checkState(page, `user-${tab}`);
  }
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Valid: no difference').waitFor();
  await checkState(page, 'user-verified');
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('alertdialog').getByLabel('Reason', { exact: true }).waitFor();
  await checkState(page, 'user-suspend');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('New orders, top-ups and withdrawals are refused until').waitFor();
  await changeKey(page, await app.key(['read']));
  const back = page.getByRole('button', { name: 'Reactivate' });
  await back.waitFor();
  await checkState(page, 'user-suspended-read-only');
  assert.match((await back.getAttribute('title')) ?? '', /lacks the “support” scope/);
  await changeKey(page, key);
});

test('a difference between books and ledger is accessible and fits in its confirmation', async () => {
  const { app, userId, page } = shared();
  const match = await addressOf(userId);
  const lie = { operation: 'account', fault: 'wrong-amount', count: 1_000, match };
  assert.equal((await app.call('POST /sandbox/faults', { body: lie })).status, 201);
  await goTo(page, `/users/${userId}`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The books differ from the ledger').waitFor();
  await checkState(page, 'user-differs');
  await page.getByRole('button', { name: 'Sync…' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Book / })
    .waitFor();
  await checkState(page, 'user-sync');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel', exact: true }).click();
  await app.call('DELETE /sandbox/faults');
});

/** From the list to the confirmation of a withdrawal with an invalid address. */
const refuseWithdrawal = async (page: Page): Promise<void> => {
  const form = page.getByRole('dialog');
  await form.getByLabel('Amount').fill('40.00');
  await checkState(page, 'withdrawal-new');
  await form.getByLabel('Destination', { exact: true }).selectOption('crypto');
  await form.getByLabel('Ledger address').fill('GNOTANADDRESS');
  await form.getByRole('button', { name: 'Continue' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByText('WITHDRAWAL_DESTINATION_INVALID · request').waitFor();
  await checkState(page, 'withdrawal-refused');
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click();
};

test('payments are accessible and fit in their forms, refused, canceled, waiting and completed', async () => {
  const { app, userId, page } = shared();
  await goTo(page, `/topups?userId=${userId}&new=true`);
  await page.getByRole('dialog').getByLabel('Amount').fill('25.50');
  await checkState(page, 'topup-new');
  const body = { userId, amount: '12.00', currency: 'USD' };
  const topup = (await app.call('POST /topups', { body })).body.data;
  await app.call(`POST /topups/${topup.id}/cancel`, { body: { reason: 'changed my mind' } });
  await goTo(page, `/topups/${topup.id}`);
  await page.getByText('Top-up canceled').waitFor();
  await checkState(page, 'topup-cancelled');

  await goTo(page, `/withdrawals?userId=${userId}&new=true`);
  await refuseWithdrawal(page);
  const destination = { type: 'bank', email: 'anna@shop.example' };
  const { id } = (await app.call('POST /withdrawals', { body: { ...body, destination } })).body.data;
  await app.call(`POST /withdrawals/${id}/commit`);
  await goTo(page, '/sandbox');
  const ask = page.getByRole('button', { name: /^Require user action/ });
  await ask.waitFor();
  await checkState(page, 'sandbox-payouts');
  await ask.click();
  await ask.waitFor({ state: 'detached' });
  await goTo(page, `/withdrawals/${id}`);
  await page.getByText('Waiting for the user').waitFor();
  await checkState(page, 'withdrawal-waits');
  assert.equal((await app.call(`POST /sandbox/payouts/${id}/complete`)).status, 200);
  await page.getByText('was paid out of the balance').waitFor();
  await checkState(page, 'withdrawal-completed');
});

test('the sandbox is accessible and fits with armed faults, an advanced clock, and for a key without the support scope', async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const trade = await tradeIn(app, { available: '200.00' });
  await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00' });
  const page = await open('/sandbox');
  await app.call('POST /sandbox/faults', { body: { operation: 'payin', fault: 'http-200-failed', count: 3 } });
  const armed = page.getByRole('region', { name: 'Armed' });
  await armed.getByText('3 calls left').waitFor();
  await app.call('POST /topups', { body: { userId: trade.buyerId, amount: '5.00', currency: 'USD' } });
  await page.getByText('http-200-failed on payin').waitFor();
  await page.getByRole('button', { name: '+ 1 day' }).click();
  await page.getByText(/ahead of real time/).waitFor();
  const events = page.getByRole('region', { name: 'Send escrow event' });
  await events.getByLabel('Event').selectOption('escrow.released');
  await events.getByRole('button', { name: 'Send signed event' }).click();
  await events.getByText('VALIDATION_ERROR · request').waitFor();
  await checkState(page, 'sandbox');

  await goTo(page, `/topups?userId=${trade.buyerId}&new=true`);
  await page.getByRole('dialog').getByLabel('Amount').fill('5.00');
  await page.getByRole('button', { name: 'Continue' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: 'Request 5.00 USD' }).click();
  await confirmation.getByText('The action failed').waitFor();
  await checkState(page, 'topup-refused');
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.keyboard.press('Escape');
  await goTo(page, '/sandbox');
  await changeKey(page, await app.key(['read', 'write']));
  await page.getByText('This key cannot use the sandbox').waitFor();
  await checkState(page, 'sandbox-without-support');
  assert.equal(await page.getByRole('region', { name: 'Faults' }).count(), 0);
});
