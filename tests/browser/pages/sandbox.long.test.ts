// The sandbox page: faucet, faults, clock, and escrow events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, openOwnBrowser } from '../support/browser-fixture.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openOwnBrowser(t);
  const userId: string = (await fixture.app.call('POST /users', { body: { externalUserId: 'dora-saves' } })).body.data
    .id;
  return { ...fixture, userId, page: await fixture.open(`/users/${userId}?tab=wallet`) };
});

test('a faucet payment appears as a deposit on the page of its user', async () => {
  const { userId, page } = shared();
  await page.getByText('Active on the ledger').waitFor();
  await goTo(page, `/sandbox?userId=${userId}`);
  const faucet = page.getByRole('region', { name: 'Faucet' });
  await faucet.getByRole('combobox', { name: 'User' }).waitFor();
  await faucet.getByRole('button', { name: 'Send test money' }).click();
  await faucet.getByText('Enter an amount such as 25.00').waitFor();
  await faucet.getByLabel('Amount').fill('12.3456789');
  await faucet.getByRole('button', { name: 'Send 12.3456789 USDC' }).click();
  await page.getByText('12.3456789 USDC sent').waitFor();
  await faucet.getByText('12.3456789').first().waitFor();
  await faucet.getByLabel('To', { exact: true }).selectOption('treasury');
  await faucet.getByLabel('Asset').selectOption('XLM');
  await faucet.getByLabel('Amount').fill('1000');
  await faucet.getByRole('button', { name: 'Send 1,000.0000000 XLM' }).click();
  await page.getByText('1,000.0000000 XLM sent').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);

  await goTo(page, `/users/${userId}?tab=wallet`);
  await page
    .getByRole('region', { name: 'Balances' })
    .getByRole('row', { name: /USD 12\.34 0\.00 12\.34/ })
    .waitFor();
  await page.getByRole('region', { name: 'Ledger balance' }).getByText('12.3456789').waitFor();
});

test('an armed fault is triggered and recorded, and the remaining ones are cleared', async () => {
  const { app, userId, page } = shared();
  await goTo(page, '/sandbox');
  const faults = page.getByRole('region', { name: 'Faults' });
  await faults.getByText('None. The simulators work normally.').waitFor();
  assert.equal(await faults.getByRole('button', { name: /^Clear all/ }).getAttribute('aria-disabled'), 'true');
  await faults.getByLabel('Operation').selectOption('webhook');
  const known = await faults.getByLabel('Fault').locator('option').allTextContents();
  assert.deepEqual(known, ['drop', 'duplicate', 'late', 'reorder', 'bad-signature']);
  await faults.getByLabel('Operation').selectOption('payin');
  await faults.getByLabel('Fault').selectOption('http-200-failed');
  // A job may try the payment again in the background, so there are more calls than the test makes.
  await faults.getByLabel('Number of calls').fill('20');
  await faults.getByRole('button', { name: 'Arm http-200-failed for payin' }).click();
  const armed = faults.getByRole('region', { name: 'Armed' });
  await armed.getByText('20 calls left').waitFor();
  const refused = await app.call('POST /topups', { body: { userId, amount: '5.00', currency: 'USD' } });
  assert.equal(refused.status, 500, refused.text);
  const { faults: left } = (await app.call('GET /sandbox/faults')).body.data;
  assert.ok(left.length === 1 && left[0].count < 20, 'the provider was asked');
  await armed.getByText('20 calls left').waitFor({ state: 'detached' });
  const struck = faults.getByRole('region', { name: 'Triggered' });
  await struck.getByText('http-200-failed on payin').first().waitFor();
  await faults.getByRole('button', { name: 'Clear all' }).click();
  await page.getByText('All faults cleared').waitFor();
  await armed.getByText('None. The simulators work normally.').waitFor();
  assert.ok((await struck.getByRole('listitem').count()) > 0);
});

test('a payment that the provider refuses is shown as failed', async () => {
  const { app, userId, page } = shared();
  await app.call('POST /sandbox/faults', { body: { operation: 'payin', fault: 'http-200-failed' } });
  await goTo(page, `/topups?userId=${userId}&new=true`);
  await page.getByRole('dialog').getByLabel('Amount').fill('5.00');
  await page.getByRole('button', { name: 'Continue' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('button', { name: 'Request 5.00 USD' }).click();
  await sure.getByText('The action failed').waitFor();
  await sure.getByText('INTERNAL_ERROR · request').waitFor();
  assert.deepEqual((await app.call('GET /sandbox/faults')).body.data.faults, []);
});

test('the clock advances, an escrow event is sent, and a key without the support scope sees the reason', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '200.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00' });
  await goTo(page, '/sandbox');
  const clock = page.getByRole('region', { name: 'Simulator clock' });
  await clock.getByText('Real time').waitFor();
  await clock.getByRole('button', { name: '+ 1 day' }).click();
  await clock.getByText(/^(1 d|23 h 59 min) ?.*ahead of real time/).waitFor();
  await clock.getByLabel('Custom').fill('2');
  await clock.getByLabel('Unit').selectOption('days');
  await clock.getByRole('button', { name: 'Advance' }).click();
  await clock.getByText(/^(3 d|2 d 23 h) ?.*ahead of real time/).waitFor();

  const events = page.getByRole('region', { name: 'Send escrow event' });
  assert.equal(await events.getByLabel('Order').inputValue(), order.id);
  await events.getByLabel('Event').selectOption('escrow.released');
  await events.getByRole('button', { name: 'Send signed event' }).click();
  await events.getByText('VALIDATION_ERROR · request').waitFor();
  await events.getByLabel('Event').selectOption('escrow.funded');
  await events.getByRole('button', { name: 'Send signed event' }).click();
  await events.getByText('escrow.funded was delivered').waitFor();

  await changeKey(page, await app.key(['read', 'write']));
  await page.getByText('This key cannot use the sandbox').waitFor();
  await page.getByText('lacks the “support” scope').waitFor();
});
