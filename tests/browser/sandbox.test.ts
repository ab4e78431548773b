// The sandbox panel: play money, faults that strike and are disarmed, the clock, and events of the escrow provider.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fundedOrder, shopIn } from '../contract/order-ground.ts';
import { NARROW, openOwnStand, openStand } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

test('play money from the faucet is a deposit that arrives on another page by itself', async (t) => {
  const stand = await openStand(t);
  const userId = (await stand.app.call('POST /users', { body: { externalUserId: 'dora-saves' } })).body.data.id;
  const looking = await stand.open(`/users/${userId}?tab=wallet`);
  await looking.getByText('Can receive').waitFor();
  const page = await stand.open(`/sandbox?userId=${userId}`);
  const faucet = page.getByRole('region', { name: 'Faucet' });
  await faucet.getByRole('combobox', { name: 'User' }).waitFor();
  await faucet.getByRole('button', { name: 'Pay play money' }).click();
  await faucet.getByText('Write an amount such as 25.00').waitFor();
  await faucet.getByLabel('Amount').fill('12.3456789');
  await faucet.getByRole('button', { name: 'Pay 12.3456789 USDC' }).click();
  await page.getByText('12.3456789 USDC paid').waitFor();
  // A tab that is not looked at gives its stream up after a while.
  await looking.bringToFront();
  await looking
    .getByRole('region', { name: 'Balances' })
    .getByRole('row', { name: /USD 12\.34 0\.00 12\.34/ })
    .waitFor();
  await looking.getByRole('region', { name: 'On the ledger now' }).getByText('12.3456789').waitFor();
  await page.bringToFront();
  await faucet.getByText('12.3456789').first().waitFor();

  await faucet.getByLabel('To', { exact: true }).selectOption('treasury');
  await faucet.getByLabel('Asset').selectOption('XLM');
  await faucet.getByLabel('Amount').fill('1000');
  await faucet.getByRole('button', { name: 'Pay 1,000.0000000 XLM' }).click();
  await page.getByText('1,000.0000000 XLM paid').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});

test('a fault that was armed strikes and is written down, and the rest is disarmed', async (t) => {
  const stand = await openOwnStand(t);
  const userId = await stand.app.user();
  const page = await stand.open('/sandbox');
  const faults = page.getByRole('region', { name: 'Faults' });
  await faults.getByText('Nothing: the outside systems behave.').waitFor();
  assert.equal(await faults.getByRole('button', { name: /^Disarm all/ }).getAttribute('aria-disabled'), 'true');
  await faults.getByLabel('Operation').selectOption('webhook');
  assert.deepEqual(await faults.getByLabel('Fault').locator('option').allTextContents(), [
    'drop',
    'duplicate',
    'late',
    'reorder',
    'bad-signature',
  ]);
  await faults.getByLabel('Operation').selectOption('payin');
  await faults.getByLabel('Fault').selectOption('http-200-failed');
  await faults.getByLabel('How many calls').fill('2');
  await faults.getByRole('button', { name: 'Arm http-200-failed for payin' }).click();
  const armed = faults.getByRole('region', { name: 'Armed now' });
  await armed.getByText('2 times more').waitFor();

  const other = await stand.open(`/topups?userId=${userId}&new=true`);
  await other.getByLabel('Amount').fill('5.00');
  await other.getByRole('button', { name: 'Go on' }).click();
  const sure = other.getByRole('alertdialog');
  await sure.getByRole('button', { name: 'Ask for 5.00 USD' }).click();
  await sure.getByText('This was not done').waitFor();
  await sure.getByText('INTERNAL_ERROR · request').waitFor();
  await picture(other, 'topup-refused');
  await armed.getByText('once more').waitFor();
  await faults.getByRole('region', { name: 'Struck' }).getByText('http-200-failed struck payin').waitFor();
  await assertAccessible(page);
  await page.setViewportSize({ width: 1280, height: 1500 });
  await picture(page, 'sandbox');

  await faults.getByRole('button', { name: 'Disarm all' }).click();
  await page.getByText('All faults disarmed').waitFor();
  await armed.getByText('Nothing: the outside systems behave.').waitFor();
  assert.equal(await faults.getByRole('region', { name: 'Struck' }).getByRole('listitem').count(), 1);
});

test('the clock goes forward, an escrow event is sent, and a key without support is told so', async (t) => {
  const stand = await openOwnStand(t);
  const shop = await shopIn(stand.app, { available: '200.00' });
  const order = await fundedOrder(shop, { amount: '80.00' });
  const page = await stand.open('/sandbox', { size: NARROW, scheme: 'dark' });
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
  await assertFits(page);
  await assertAccessible(page);
  await page.setViewportSize({ width: 390, height: 3200 });
  await picture(page, 'sandbox-narrow');

  const reader = await stand.open('/sandbox', { key: await stand.app.key(['read', 'write']) });
  await reader.getByText('Your key may not use the sandbox').waitFor();
  await reader.getByText('lacks the scope “support”').waitFor();
  await assertAccessible(reader);
});
