// Users, top-ups, withdrawals and the sandbox panel in the states between their pages: forms, confirmations and refusals. Each
// is judged at both widths and in both colours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../committer/bend.ts';
import { fundedOrder, shopIn } from '../contract/order-ground.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { changeKey, goTo, openOwnStand, openStand } from './browser-stand.ts';
import { judgeState } from './judge-state.ts';

const shared = shareInFile(async (t) => {
  const stand = await openStand(t);
  const key = await stand.app.key(['*']);
  const userId = await stand.app.user({ available: '100.00' });
  return { ...stand, key, userId, page: await stand.open('/users', { key }) };
});

/** Waits until the user can be paid at an address of the ledger; that address. */
const addressOf = async (userId: string): Promise<string> => {
  const { app } = shared();
  const isActive = async () => (await app.call(`GET /users/${userId}/wallet`)).body.data?.isActive === true;
  await until(isActive, 'the wallet lives on the ledger');
  return (await app.call(`GET /users/${userId}/wallet/deposit`)).body.data.address;
};

test('the forms of a user are accessible and fit, refused and confirmed', async () => {
  const { userId, page } = shared();
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByRole('button', { name: 'Make the user' }).click();
  await page.getByText('Write the id that your marketplace has').waitFor();
  await judgeState(page, 'user-new-refused');
  await page.keyboard.press('Escape');

  await goTo(page, `/users/${userId}`);
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await page.getByLabel('Amount').fill('250.00');
  await page.getByLabel('Reason').fill('Goodwill after ticket 4711');
  await judgeState(page, 'user-credit-form');
  await page.getByRole('button', { name: 'Go on' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('row', { name: /Available 100\.00 \+250\.00 350\.00 ?USD/ }).waitFor();
  await judgeState(page, 'user-credit');
  await confirmation.getByRole('button', { name: 'Credit 250.00 USD' }).click();
  await page.getByText('Available is now 350.00 USD').waitFor();
  await confirmation.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Link account' }).click();
  await page.getByLabel('E-mail address').fill('not-an-address');
  await page.getByRole('button', { name: 'Link it' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await judgeState(page, 'user-link-refused');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a user is accessible and fits with a deposit, with money set aside, suspended, and for a key that only reads', async () => {
  const { app, key, page } = shared();
  const shop = await shopIn(app, { available: '300.00' });
  const order = await shop.order({ amount: '120.00', title: 'Logo design' });
  await shop.done(`POST /orders/${order.id}/reserve`);
  const address = await addressOf(shop.buyerId);
  await app.call('POST /sandbox/faucet', { body: { address, asset: 'USDC', amount: '25.5' } });
  for (const [tab, text] of [
    ['wallet', /Payment \+25\.5000000 ?USDC/],
    ['reservations', /Set aside 120\.00 ?USD/],
    ['orders', /Logo design Buyer/],
  ] as const) {
    await goTo(page, `/users/${shop.buyerId}?tab=${tab}`);
    await page.getByRole('row', { name: text }).waitFor();
    await judgeState(page, `user-${tab}`);
  }
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Valid: the difference is zero').waitFor();
  await judgeState(page, 'user-verified');
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('alertdialog').getByLabel('Why', { exact: true }).waitFor();
  await judgeState(page, 'user-suspend');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByText('no new order, top-up or withdrawal begins').waitFor();
  await changeKey(page, await app.key(['read']));
  const back = page.getByRole('button', { name: 'Reactivate' });
  await back.waitFor();
  await judgeState(page, 'user-suspended-read-only');
  assert.match((await back.getAttribute('title')) ?? '', /lacks the scope “support”/);
  await changeKey(page, key);
});

test('what differs between books and ledger is accessible and fits where it would be booked', async () => {
  const { app, userId, page } = shared();
  const match = await addressOf(userId);
  const lie = { operation: 'account', fault: 'wrong-amount', count: 1_000, match };
  assert.equal((await app.call('POST /sandbox/faults', { body: lie })).status, 201);
  await goTo(page, `/users/${userId}`);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Books and ledger differ').waitFor();
  await judgeState(page, 'user-differs');
  await page.getByRole('button', { name: 'Sync…' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Book / })
    .waitFor();
  await judgeState(page, 'user-sync');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave it' }).click();
  await app.call('DELETE /sandbox/faults');
});

/** From the list up to the confirmation of a withdrawal to an address that is none. */
const refuseWithdrawal = async (page: Page): Promise<void> => {
  const form = page.getByRole('dialog');
  await form.getByLabel('Amount').fill('40.00');
  await judgeState(page, 'withdrawal-new');
  await form.getByLabel('To', { exact: true }).selectOption('crypto');
  await form.getByLabel('Address on the ledger').fill('GNOTANADDRESS');
  await form.getByRole('button', { name: 'Go on' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: 'Set 40.00 USD aside' }).click();
  await confirmation.getByText('WITHDRAWAL_DESTINATION_INVALID · request').waitFor();
  await judgeState(page, 'withdrawal-refused');
  await confirmation.getByRole('button', { name: 'Leave it' }).click();
};

test('payments are accessible and fit in their forms, refused, cancelled, waiting and completed', async () => {
  const { app, userId, page } = shared();
  await goTo(page, `/topups?userId=${userId}&new=true`);
  await page.getByRole('dialog').getByLabel('Amount').fill('25.50');
  await judgeState(page, 'topup-new');
  const body = { userId, amount: '12.00', currency: 'USD' };
  const topup = (await app.call('POST /topups', { body })).body.data;
  await app.call(`POST /topups/${topup.id}/cancel`, { body: { reason: 'changed my mind' } });
  await goTo(page, `/topups/${topup.id}`);
  await page.getByText('It was cancelled').waitFor();
  await judgeState(page, 'topup-cancelled');

  await goTo(page, `/withdrawals?userId=${userId}&new=true`);
  await refuseWithdrawal(page);
  const destination = { type: 'bank', email: 'anna@shop.example' };
  const { id } = (await app.call('POST /withdrawals', { body: { ...body, destination } })).body.data;
  await app.call(`POST /withdrawals/${id}/commit`);
  await goTo(page, '/sandbox');
  const ask = page.getByRole('button', { name: /^Ask the user/ });
  await ask.waitFor();
  await judgeState(page, 'sandbox-payouts');
  await ask.click();
  await ask.waitFor({ state: 'detached' });
  await goTo(page, `/withdrawals/${id}`);
  await page.getByText('It waits for the user').waitFor();
  await judgeState(page, 'withdrawal-waits');
  assert.equal((await app.call(`POST /sandbox/payouts/${id}/complete`)).status, 200);
  await page.getByText('has left the balance').waitFor();
  await judgeState(page, 'withdrawal-completed');
});

test('the sandbox panel is accessible and fits with armed faults, a moved clock, and for a key without support', async (t) => {
  const { app, open } = await openOwnStand(t);
  const shop = await shopIn(app, { available: '200.00' });
  await fundedOrder(shop, { amount: '80.00' });
  const page = await open('/sandbox');
  await app.call('POST /sandbox/faults', { body: { operation: 'payin', fault: 'http-200-failed', count: 3 } });
  const armed = page.getByRole('region', { name: 'Armed now' });
  await armed.getByText('3 times more').waitFor();
  await app.call('POST /topups', { body: { userId: shop.buyerId, amount: '5.00', currency: 'USD' } });
  await page.getByText('http-200-failed struck payin').waitFor();
  await page.getByRole('button', { name: '+ 1 day' }).click();
  await page.getByText(/ahead of the real time/).waitFor();
  const events = page.getByRole('region', { name: 'Send an escrow event' });
  await events.getByLabel('Event').selectOption('escrow.released');
  await events.getByRole('button', { name: 'Send it, signed' }).click();
  await events.getByText('VALIDATION_ERROR · request').waitFor();
  await judgeState(page, 'sandbox');

  await goTo(page, `/topups?userId=${shop.buyerId}&new=true`);
  await page.getByRole('dialog').getByLabel('Amount').fill('5.00');
  await page.getByRole('button', { name: 'Go on' }).click();
  const confirmation = page.getByRole('alertdialog');
  await confirmation.getByRole('button', { name: 'Ask for 5.00 USD' }).click();
  await confirmation.getByText('This was not done').waitFor();
  await judgeState(page, 'topup-refused');
  await confirmation.getByRole('button', { name: 'Leave it' }).click();
  await page.keyboard.press('Escape');
  await goTo(page, '/sandbox');
  await changeKey(page, await app.key(['read', 'write']));
  await page.getByText('Your key may not use the sandbox').waitFor();
  await judgeState(page, 'sandbox-without-support');
  assert.equal(await page.getByRole('region', { name: 'Faults' }).count(), 0);
});
