// Events, audit, reconciliation, health and keys in further states. Each is checked at both widths and in both colour
// schemes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { MASTER_KEY } from '../../support/app.ts';
import { changeThirdEntry } from '../support/audit-tampering.ts';
import { changeKey, goTo, keyField, openBrowser, openOwnBrowser } from '../support/browser-fixture.ts';
import { checkState } from '../support/check-state.ts';

const LONG_AGO = '2020-01-01T00:00:00.000Z';
/** Nothing listens there. */
const UNKNOWN = 'http://127.0.0.1:9';

test('the events page is accessible and fits with a replay, with details, and with the type filter', async (t) => {
  const { app, open } = await openBrowser(t);
  const trade = await tradeIn(app, { available: '900.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '250.00', title: 'Translation' });
  await trade.done(`POST /orders/${order.id}/resolution/release`);
  const page = await open(`/events?since=${LONG_AGO}&q=${order.id}`);
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByText('order.released').waitFor();
  await checkState(page, 'events-replay');
  await list.getByRole('button', { name: /order\.released/ }).click();
  await page.getByRole('complementary', { name: 'order.released' }).waitFor();
  await checkState(page, 'events-details');
  await page.getByRole('button', { name: 'Close details' }).click();
  await page.getByRole('button', { name: 'All types' }).click();
  await page.getByRole('checkbox', { name: 'order.released' }).check();
  await list.getByText('order.closed').waitFor({ state: 'detached' });
  await checkState(page, 'events-types');
  assert.match(page.url(), /types=order\.released/);
});

test('the audit page is accessible and fits with details, with a valid chain, and with a broken one', async (t) => {
  const { app, open } = await openBrowser(t);
  const trade = await tradeIn(app, { available: '500.00' });
  const order = await trade.anOrder({ amount: '120.00' });
  await trade.done(`POST /orders/${order.id}/reserve`);
  const page = await open(`/audit?resourceId=${order.id}`);
  await page.getByRole('link', { name: 'Order funds reserved' }).click();
  await page.getByRole('complementary', { name: 'Order funds reserved' }).getByText('FUNDS_RESERVED').waitFor();
  await checkState(page, 'audit-details');
  await goTo(page, '/audit');
  const chain = page.getByRole('region', { name: 'Audit chain' });
  await chain.getByRole('button', { name: 'Verify chain' }).click();
  await chain.getByText('Valid', { exact: true }).waitFor();
  await checkState(page, 'audit-holds');
  await app.sql(changeThirdEntry(app.marketplaceId));
  await chain.getByRole('button', { name: 'Verify again' }).click();
  await chain.getByText('Broken at entry 3').waitFor();
  await checkState(page, 'audit-broken');
  assert.equal((await app.call('GET /audit/verify')).body.data.holds, false);
});

test('the list of breaks is accessible and fits with a break and without one', async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '120.00', title: 'Logo design' });
  const page = await open('/breaks');
  await page.getByText('The books match the external systems').waitFor();
  await checkState(page, 'breaks-none');
  const address = order.escrow.providerContractId;
  await app.sql(
    `insert into breaks (marketplace_id, kind, subject, expected, actual, difference, first_seen_at, last_seen_at)
     values ($1, 'contract', $2, 120, 112.5, -7.5, now(), now())`,
    [app.marketplaceId, address],
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('−7.5000000').waitFor();
  await checkState(page, 'breaks');
});

test('the health page is accessible and fits with a component down, a stuck operation, and a stopped server', async (t) => {
  const { app, open, stopServer } = await openOwnBrowser(t, { PAYMENT_PROVIDER_URL: UNKNOWN });
  const trade = await tradeIn(app, { available: '500.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '80.00' });
  const page = await open('/health');
  await page.getByText('Service disruption').waitFor();
  const outage = { operation: 'release', fault: 'outage', count: 1_000 };
  await app.call('POST /sandbox/faults', { body: outage });
  const release = app.call(`POST /orders/${order.id}/resolution/release`);
  await page.getByRole('table', { name: 'Operations' }).getByText('Stuck').waitFor();
  await checkState(page, 'health-stuck');
  await app.call('DELETE /sandbox/faults');
  await release;
  await changeKey(page, await app.key(['read']));
  await page.getByText('Jobs require the “support” scope').waitFor();
  await checkState(page, 'health-read-only');
  await stopServer();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('The service does not answer. The last known status is below').waitFor();
  await checkState(page, 'health-away');
  assert.equal(await page.getByRole('row', { name: /Database Ok/ }).count(), 1);
});

test('the keys page is accessible and fits with its forms, with a secret, and for a read-only key', async (t) => {
  const { app, open } = await openOwnBrowser(t);
  await app.aUser();
  await app.aUser({ key: await app.key(['*'], 'mkt_fruit') });
  const page = await open('/keys', { key: null });
  await (await keyField(page)).fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Choose a marketplace' }).waitFor();
  await checkState(page, 'sign-in-marketplace');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Create key' }).waitFor();
  await checkState(page, 'keys-master');
  await goTo(page, '/marketplaces');
  await page.getByRole('row', { name: /mkt_fruit/ }).waitFor();
  await checkState(page, 'marketplaces-master');
  await goTo(page, '/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Checkout server');
  await page.getByLabel('Rate limit (requests)').fill('0');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText(/rateLimit must/).waitFor();
  await checkState(page, 'keys-create-refused');
  await page.getByLabel('Rate limit (requests)').fill('600');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('This secret is shown only once.').waitFor();
  await checkState(page, 'keys-secret');
  await page.getByRole('button', { name: 'I have saved the secret' }).click();
  for (const action of ['Create token for', 'Rotate', 'Revoke']) {
    await page.getByRole('button', { name: `${action} Checkout server` }).click();
    await page.locator('[role="dialog"], [role="alertdialog"]').waitFor();
    await checkState(page, `keys-${action.split(' ')[0]!.toLowerCase()}`);
    await page.keyboard.press('Escape');
  }
  await changeKey(page, await app.key(['read']));
  await page.getByText('you', { exact: true }).waitFor();
  await checkState(page, 'keys-read-only');
  assert.equal(await page.getByRole('button', { name: 'Create key' }).getAttribute('aria-disabled'), 'true');
});
