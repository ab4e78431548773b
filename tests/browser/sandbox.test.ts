// The sandbox panel: play money, faults that strike and are disarmed, the clock, and events of the escrow provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundedOrder, shopIn } from '../contract/order-ground.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { changeKey, goTo, openOwnStand } from './browser-stand.ts';

const shared = shareInFile(async (t) => {
  const stand = await openOwnStand(t);
  const userId: string = (await stand.app.call('POST /users', { body: { externalUserId: 'dora-saves' } })).body.data.id;
  return { ...stand, userId, page: await stand.open(`/users/${userId}?tab=wallet`) };
});

test('play money from the faucet is a deposit that arrives on the page of its user', async () => {
  const { userId, page } = shared();
  await page.getByText('Can receive').waitFor();
  await goTo(page, `/sandbox?userId=${userId}`);
  const faucet = page.getByRole('region', { name: 'Faucet' });
  await faucet.getByRole('combobox', { name: 'User' }).waitFor();
  await faucet.getByRole('button', { name: 'Pay play money' }).click();
  await faucet.getByText('Write an amount such as 25.00').waitFor();
  await faucet.getByLabel('Amount').fill('12.3456789');
  await faucet.getByRole('button', { name: 'Pay 12.3456789 USDC' }).click();
  await page.getByText('12.3456789 USDC paid').waitFor();
  await faucet.getByText('12.3456789').first().waitFor();
  await faucet.getByLabel('To', { exact: true }).selectOption('treasury');
  await faucet.getByLabel('Asset').selectOption('XLM');
  await faucet.getByLabel('Amount').fill('1000');
  await faucet.getByRole('button', { name: 'Pay 1,000.0000000 XLM' }).click();
  await page.getByText('1,000.0000000 XLM paid').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);

  await goTo(page, `/users/${userId}?tab=wallet`);
  await page
    .getByRole('region', { name: 'Balances' })
    .getByRole('row', { name: /USD 12\.34 0\.00 12\.34/ })
    .waitFor();
  await page.getByRole('region', { name: 'On the ledger now' }).getByText('12.3456789').waitFor();
});

test('a fault that was armed strikes and is written down, and the rest is disarmed', async () => {
  const { app, userId, page } = shared();
  await goTo(page, '/sandbox');
  const faults = page.getByRole('region', { name: 'Faults' });
  await faults.getByText('Nothing: the outside systems behave.').waitFor();
  assert.equal(await faults.getByRole('button', { name: /^Disarm all/ }).getAttribute('aria-disabled'), 'true');
  await faults.getByLabel('Operation').selectOption('webhook');
  const known = await faults.getByLabel('Fault').locator('option').allTextContents();
  assert.deepEqual(known, ['drop', 'duplicate', 'late', 'reorder', 'bad-signature']);
  await faults.getByLabel('Operation').selectOption('payin');
  await faults.getByLabel('Fault').selectOption('http-200-failed');
  await faults.getByLabel('How many calls').fill('2');
  await faults.getByRole('button', { name: 'Arm http-200-failed for payin' }).click();
  const armed = faults.getByRole('region', { name: 'Armed now' });
  await armed.getByText('2 times more').waitFor();
  const refused = await app.call('POST /topups', { body: { userId, amount: '5.00', currency: 'USD' } });
  assert.equal(refused.status, 500, refused.text);
  await armed.getByText('once more').waitFor();
  const struck = faults.getByRole('region', { name: 'Struck' });
  await struck.getByText('http-200-failed struck payin').waitFor();
  await faults.getByRole('button', { name: 'Disarm all' }).click();
  await page.getByText('All faults disarmed').waitFor();
  await armed.getByText('Nothing: the outside systems behave.').waitFor();
  assert.equal(await struck.getByRole('listitem').count(), 1);
});

test('a payment that the provider refuses is said not to be done', async () => {
  const { app, userId, page } = shared();
  await app.call('POST /sandbox/faults', { body: { operation: 'payin', fault: 'http-200-failed' } });
  await goTo(page, `/topups?userId=${userId}&new=true`);
  await page.getByRole('dialog').getByLabel('Amount').fill('5.00');
  await page.getByRole('button', { name: 'Go on' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('button', { name: 'Ask for 5.00 USD' }).click();
  await sure.getByText('This was not done').waitFor();
  await sure.getByText('INTERNAL_ERROR · request').waitFor();
  assert.deepEqual((await app.call('GET /sandbox/faults')).body.data.faults, []);
});

test('the clock goes forward, an escrow event is sent, and a key without support is told so', async () => {
  const { app, page } = shared();
  const shop = await shopIn(app, { available: '200.00' });
  const order = await fundedOrder(shop, { amount: '80.00' });
  await goTo(page, '/sandbox');
  const clock = page.getByRole('region', { name: 'Clock of the twins' });
  await clock.getByText('As late as it really is').waitFor();
  await clock.getByRole('button', { name: '+ 1 day' }).click();
  await clock.getByText(/^(1 d|23 h 59 min) ?.*ahead of the real time/).waitFor();
  await clock.getByLabel('By hand').fill('2');
  await clock.getByLabel('Unit').selectOption('days');
  await clock.getByRole('button', { name: 'Move forward' }).click();
  await clock.getByText(/^(3 d|2 d 23 h) ?.*ahead of the real time/).waitFor();

  const events = page.getByRole('region', { name: 'Send an escrow event' });
  assert.equal(await events.getByLabel('Order').inputValue(), order.id);
  await events.getByLabel('Event').selectOption('escrow.released');
  await events.getByRole('button', { name: 'Send it, signed' }).click();
  await events.getByText('VALIDATION_ERROR · request').waitFor();
  await events.getByLabel('Event').selectOption('escrow.funded');
  await events.getByRole('button', { name: 'Send it, signed' }).click();
  await events.getByText('escrow.funded was delivered').waitFor();

  await changeKey(page, await app.key(['read', 'write']));
  await page.getByText('Your key may not use the sandbox').waitFor();
  await page.getByText('lacks the scope “support”').waitFor();
});
