// The audit page: entries, filters, details and the check of the audit chain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../tools/until.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeThirdEntry } from '../support/audit-tampering.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const trade = await tradeIn(fixture.app, { available: '500.00' });
  const order = await trade.anOrder({ amount: '120.00' });
  return { ...fixture, trade, order, page: await fixture.open(`/audit?resourceId=${order.id}`) };
});

test('entries appear as they are written, are filtered by a link, and show what changed', async () => {
  const { trade, order, page } = shared();
  const table = page.getByRole('table', { name: 'Entries' });
  await table.getByRole('link', { name: 'Order created' }).waitFor();
  assert.equal(await table.getByRole('link', { name: 'User created' }).count(), 0);

  await trade.done(`POST /orders/${order.id}/reserve`);
  await table.getByRole('link', { name: 'Order funds reserved' }).click();
  const details = page.getByRole('complementary', { name: 'Order funds reserved' });
  await details.getByText('FUNDS_RESERVED').waitFor();
  assert.match((await details.textContent()) ?? '', /status.*before: ORDER_CREATED.*after: FUNDS_RESERVED/);
  assert.match((await details.textContent()) ?? '', /API key/);
  await assertAccessible(page);
  const link = page.url();
  await details.getByRole('button', { name: 'Close details' }).click();
  await details.waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Order funds reserved');
  await page.getByRole('button', { name: 'Clear' }).click();
  await table.getByRole('link', { name: 'User created' }).first().waitFor();
  await page.getByLabel('Action').selectOption('BALANCE_CREDITED');
  await table.getByRole('link', { name: 'User created' }).first().waitFor({ state: 'detached' });
  await table.getByRole('link', { name: 'Balance credited' }).waitFor();
  await page.getByLabel('Resource ID').fill('usr_unknown');
  await page.getByText('No matching entries').waitFor();

  await goTo(page, link.slice(link.indexOf('/audit')));
  await details.waitFor();
});

test('the audit chain is verified on request, and a changed entry is found', async () => {
  const { app, page } = shared();
  await goTo(page, '/audit');
  const chain = page.getByRole('region', { name: 'Audit chain' });
  await chain.getByRole('button', { name: 'Verify chain' }).click();
  await chain.getByText('Valid', { exact: true }).waitFor();
  // Wallet activations write entries too.
  await until(async () => {
    const { entries, lastHash } = (await app.call('GET /audit/verify')).body.data;
    assert.ok(entries > 3);
    if ((await chain.getByText(lastHash).count()) === 1) return true;
    await chain.getByRole('button', { name: 'Verify again' }).click();
    await chain.getByText('Valid', { exact: true }).waitFor();
    return false;
  }, 'the page shows the last hash');

  await app.sql(changeThirdEntry(app.marketplaceId));
  await chain.getByRole('button', { name: 'Verify again' }).click();
  await chain.getByText('Broken at entry 3').waitFor();
  await chain.getByText('The database was changed outside the service').waitFor();
});
