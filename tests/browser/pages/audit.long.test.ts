// The audit page: entries, filters, details and the check of the audit chain.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { until } from '../../../tools/until.ts';
import { temporaryFolder } from '../../archives/fixture.ts';
import { openLiveArchiver } from '../../archives/live-fixture.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeThirdEntry } from '../support/audit-tampering.ts';
import { goTo, openBrowser, openOwnBrowser, setView, WIDE } from '../support/browser-fixture.ts';
import { VIEWS } from '../support/check-state.ts';
import { assertAccessible, assertFits } from '../support/page-checks.ts';

/** Both colour schemes, and 390 pixels. */
const checkViews = async (page: Page): Promise<void> => {
  for (const { size, scheme } of VIEWS) {
    await setView(page, { size, scheme });
    await assertFits(page);
    await assertAccessible(page, { coloursOnly: scheme === 'dark' });
  }
  await setView(page, { size: WIDE, scheme: 'light' });
};

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

test('archived months are listed with their folder and hash, and a missing file is named', async (t) => {
  const dir = await temporaryFolder(t);
  const fixture = await openOwnBrowser(t, { ARCHIVE_DIR: dir });
  const { app } = fixture;
  const trade = await tradeIn(app, { available: '500.00' });
  await trade.anOrder({ amount: '120.00' });
  const archiver = await openLiveArchiver(t, { app, dir });
  const { id, manifestHash } = (await archiver.archive('2026-01'))!;
  const page = await fixture.open('/audit');
  const panel = page.getByRole('region', { name: 'Archived months' });
  await panel.getByText('Not verified yet').waitFor();
  assert.match(
    (await panel.textContent()) ?? '',
    new RegExp(`${app.marketplaceId}/${id}.*${manifestHash.slice(0, 12)}`),
  );
  await page.getByRole('button', { name: 'Verify chain' }).click();
  await panel.getByText('Valid', { exact: true }).waitFor();
  await checkViews(page);

  await rm(path.join(archiver.folderOf(id), 'audit_entries-0001.jsonl.zst'));
  await page.getByRole('button', { name: 'Verify again' }).click();
  await panel.getByText('audit_entries-0001.jsonl.zst is missing').waitFor();
  await page.getByText('An archive is broken').waitFor();
  await checkViews(page);
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
