// The audit page: what changed, who did it, and whether the record of it is whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../committer/bend.ts';
import { shopIn } from '../contract/order-ground.ts';
import { NARROW, openOwnStand, openStand } from './browser-stand.ts';
import { assertAccessible, assertFits, picture } from './page-checks.ts';

test('entries appear as they are written, are filtered by a link, and show what changed', async (t) => {
  const stand = await openStand(t);
  const shop = await shopIn(stand.app, { available: '500.00' });
  const order = await shop.order({ amount: '120.00' });
  const page = await stand.open(`/audit?resourceId=${order.id}`);
  const table = page.getByRole('table', { name: 'Entries' });
  await table.getByRole('link', { name: 'Order created' }).waitFor();
  assert.equal(await table.getByRole('link', { name: 'User created' }).count(), 0);

  await shop.done(`POST /orders/${order.id}/reserve`);
  await table.getByRole('link', { name: 'Order funds reserved' }).click();
  const details = page.getByRole('complementary', { name: 'Order funds reserved' });
  await details.getByText('FUNDS_RESERVED').waitFor();
  assert.match((await details.textContent()) ?? '', /status.*before: ORDER_CREATED.*after: FUNDS_RESERVED/);
  assert.match((await details.textContent()) ?? '', /API key/);
  await assertAccessible(page);
  await picture(page, 'audit-details');
  const link = page.url();
  await details.getByRole('button', { name: 'Close the details' }).click();
  await details.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Order funds reserved');
  await page.getByRole('button', { name: 'Clear' }).click();
  await table.getByRole('link', { name: 'User created' }).first().waitFor();
  await page.getByLabel('Action').selectOption('BALANCE_CREDITED');
  await table.getByRole('link', { name: 'User created' }).first().waitFor({ state: 'detached' });
  await table.getByRole('link', { name: 'Balance credited' }).waitFor();
  await page.getByLabel('About the id').fill('usr_nobody');
  await page.getByText('No entry fits these filters').waitFor();

  const narrow = await stand.open(link.slice(link.indexOf('/audit')), { size: NARROW, scheme: 'dark' });
  await narrow.getByRole('complementary', { name: 'Order funds reserved' }).waitFor();
  await assertFits(narrow);
  await assertAccessible(narrow);
  await picture(narrow, 'audit-details-narrow-dark');
  await narrow.getByRole('button', { name: 'Close the details' }).click();
  await assertFits(narrow);
  await picture(narrow, 'audit-narrow-dark');
});

test('the chain is verified at the press of a button, and a changed entry is found', async (t) => {
  const stand = await openOwnStand(t);
  await shopIn(stand.app, { available: '500.00' });
  const page = await stand.open('/audit', { scheme: 'dark' });
  const chain = page.getByRole('region', { name: 'The chain' });
  await chain.getByRole('button', { name: 'Verify the chain' }).click();
  await chain.getByText('Holds', { exact: true }).waitFor();
  // The wallets that are being opened write entries too.
  await until(async () => {
    const { entries, lastHash } = (await stand.app.call('GET /audit/verify')).body.data;
    assert.ok(entries > 3);
    if ((await chain.getByText(lastHash).count()) === 1) return true;
    await chain.getByRole('button', { name: 'Verify again' }).click();
    await chain.getByText('Holds', { exact: true }).waitFor();
    return false;
  }, 'the page shows the last hash');
  await assertAccessible(page);
  await picture(page, 'audit-wide-dark');

  await stand.app.sql('set session_replication_role = replica');
  await stand.app.sql(`update audit_entries set payload_after = '{"amount":"9999.00"}' where seq = 3`);
  await chain.getByRole('button', { name: 'Verify again' }).click();
  await chain.getByText('Broken at entry 3').waitFor();
  await chain.getByText('Somebody has changed the database past the service').waitFor();
  await assertAccessible(page);
  await picture(page, 'audit-broken-dark');
});
