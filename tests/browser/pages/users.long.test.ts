// The user pages: creation, credit, statement and ledger comparison; reservations, suspension and permissions; live
// deposits.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import type { TestApp } from '../../support/app.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/users') };
});

const balances = (page: Page) => page.getByRole('region', { name: 'Balances' });

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('a user is created and credited with a reason, and the statement and the ledger comparison are correct', async () => {
  const { page } = shared();
  await page.getByText('No users yet').waitFor();
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByText('Enter the ID of the user').waitFor();
  await page.getByLabel('External ID').fill('anna-buys');
  await page.getByLabel('E-mail').fill('anna@shop.example');
  await page.getByRole('button', { name: 'Create user' }).click();

  await page.getByRole('heading', { level: 1, name: 'anna-buys' }).waitFor();
  await balances(page)
    .getByRole('row', { name: /USD 0\.00 0\.00 0\.00/ })
    .waitFor();
  await page.getByRole('button', { name: 'Credit', exact: true }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Enter a reason. The statement shows it.').waitFor();
  await page.getByLabel('Amount').fill('250.005');
  await page.getByText('at most 2 decimals').waitFor();
  await page.getByLabel('Amount').fill('250.00');
  await page.getByLabel('Reason').fill('Goodwill after ticket 4711');
  await page.getByLabel('Reference').fill('ticket-4711');
  await page.getByRole('button', { name: 'Continue' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('row', { name: /Available 0\.00 \+250\.00 250\.00 ?USD/ }).waitFor();
  await assertAccessible(page);
  await sure.getByRole('button', { name: 'Credit 250.00 USD' }).click();
  await page.getByText('Available is now 250.00 USD').waitFor();
  await balances(page)
    .getByRole('row', { name: /USD 250\.00 0\.00 250\.00/ })
    .waitFor();

  const statement = page.getByRole('region', { name: 'Statement' });
  const line = statement.getByRole('row', { name: /Goodwill after ticket 4711/ });
  await line.waitFor();
  assert.match((await line.textContent()) ?? '', /Credit · operator.*ticket-4711Available\+250\.00250\.00/);
  await statement.getByRole('row', { name: /Closing balance 250\.00 \+ 0\.00 250\.00/ }).waitFor();
  const saved = page.waitForEvent('download');
  await statement.getByRole('button', { name: 'Download CSV' }).click();
  const text = await readFile(await (await saved).path(), 'utf8');
  assert.match(text, /available,credit,Goodwill after ticket 4711,ticket-4711,operator,250\.00,250\.00\r\n/);
  assert.match(text, /closing_balance/);

  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Valid: no difference').waitFor();
  await page.getByRole('button', { name: 'Sync…' }).click();
  await sure.getByText('nothing will be booked').waitFor();
  await sure.getByRole('button', { name: 'Sync without a difference' }).click();
  await page.getByText('Nothing to book').waitFor();

  await page.getByRole('link', { name: 'Users', exact: true }).first().click();
  await page.getByLabel('Search', { exact: true }).fill('ANNA@shop');
  await page.getByRole('row', { name: /anna-buys.*anna@shop\.example.*250\.00 ?USD/ }).waitFor();
  await page.waitForURL(/\?q=ANNA/);
  await page.getByLabel('Search', { exact: true }).fill('unknown');
  await page.getByText('No matching users').waitFor();
});

/** Links a wallet to the user, and proves it as the program of a wallet does. */
const proveWallet = async (
  app: TestApp,
  { userId, isProved }: { userId: string; isProved: boolean },
): Promise<void> => {
  const key = Keypair.random();
  const linked = await app.call(`POST /users/${userId}/wallet/link`, { body: { publicKey: key.publicKey() } });
  assert.equal(linked.status, 201, linked.text);
  if (!isProved) return;
  const challenge = (await app.call(`POST /users/${userId}/wallet/challenge`)).body.data;
  const signed = TransactionBuilder.fromXDR(challenge.transaction, challenge.networkPassphrase);
  signed.sign(key);
  const proved = await app.call(`POST /users/${userId}/wallet/proof`, { body: { transaction: signed.toXDR() } });
  assert.equal(proved.status, 200, proved.text);
};

test('a deposit appears without a reload, and linked wallets with their proof and reservations are listed', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ amount: '120.00', title: 'Logo design' });
  await trade.done(`POST /orders/${order.id}/reserve`);

  await proveWallet(app, { userId: trade.buyerId, isProved: true });
  await proveWallet(app, { userId: trade.buyerId, isProved: false });
  await goTo(page, `/users/${trade.buyerId}?tab=wallet`);
  const wallets = page.getByRole('table', { name: 'Wallets' });
  await wallets.getByRole('row', { name: /Held by the user Proved just now/ }).waitFor();
  await wallets.getByRole('row', { name: /Held by the user Not proved/ }).waitFor();
  await balances(page)
    .getByRole('row', { name: /USD 180\.00 120\.00 300\.00/ })
    .waitFor();
  await page
    .getByText('No payments yet')
    .or(page.getByRole('row', { name: /Create account/ }))
    .first()
    .waitFor();
  const { address } = (await app.call(`GET /users/${trade.buyerId}/wallet/deposit`)).body.data;
  await page.getByRole('region', { name: 'Deposit address' }).getByText(address).waitFor();
  const paid = await app.call('POST /sandbox/faucet', { body: { address, asset: 'USDC', amount: '25.5' } });
  assert.equal(paid.status, 200, paid.text);
  await balances(page)
    .getByRole('row', { name: /USD 205\.50 120\.00 325\.50/ })
    .waitFor();
  await page.getByRole('region', { name: 'Ledger balance' }).getByText('25.5000000').waitFor();
  await page.getByRole('row', { name: /Payment \+25\.5000000 ?USDC/ }).waitFor();

  await tab(page, 'Reservations');
  await page.getByRole('row', { name: /Active 120\.00 ?USD 120\.00 ?USD/ }).waitFor();
  await tab(page, 'Orders');
  await page.getByRole('row', { name: /Logo design Buyer/ }).waitFor();
  await trade.done(`POST /orders/${order.id}/cancel`);
  await page.getByRole('row', { name: /Logo design Buyer.*Canceled/ }).waitFor();
  await balances(page)
    .getByRole('row', { name: /USD 325\.50 0\.00 325\.50/ })
    .waitFor();
  await tab(page, 'Top-ups');
  await page.getByText('No top-ups').waitFor();
});

test('only the support scope suspends and reactivates a user, and a read-only key sees the reason', async () => {
  const { app, page } = shared();
  const id = await app.aUser({ available: '40.00' });
  await goTo(page, `/users/${id}`);
  await page.getByRole('button', { name: 'Suspend' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByText('the balance is unchanged: 40.00 USD available and 0.00 USD reserved').waitFor();
  await sure.getByLabel('Reason', { exact: true }).fill('Stolen card');
  await sure.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('button', { name: 'Reactivate' }).waitFor();
  await page.getByText('New orders, top-ups and withdrawals are refused until').waitFor();
  await page.getByRole('button', { name: 'Link account' }).click();
  await page.getByLabel('E-mail address').fill('not-an-address');
  await page.getByRole('dialog').getByRole('button', { name: 'Link account' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await page.getByLabel('E-mail address').fill('ada@shop.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Link account' }).click();
  await page.getByText('Payouts of this user now go to this account').waitFor();

  await changeKey(page, await app.key(['read']));
  const credit = page.getByRole('button', { name: 'Credit', exact: false });
  await credit.waitFor();
  assert.equal(await credit.getAttribute('aria-disabled'), 'true');
  assert.match((await credit.getAttribute('title')) ?? '', /lacks the “write” scope/);
  const back = page.getByRole('button', { name: 'Reactivate' });
  assert.match((await back.getAttribute('title')) ?? '', /lacks the “support” scope/);
  await credit.click({ force: true });
  assert.equal(await page.getByRole('dialog').count(), 0);

  await goTo(page, '/users/usr_01ARZ3NDEKTSV4RRFFQ69G5FAV');
  await page.getByText('User could not be loaded').waitFor();
  await page.getByText('USER_NOT_FOUND').waitFor();
});
