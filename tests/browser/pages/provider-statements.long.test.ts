// Provider statements in the console: a refused file shows its rows, an uploaded one shows bars and lines, and the report can be
// filtered, downloaded and printed.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app.ts';
import { openBrowser } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const DAY_MS = 86_400_000;

const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** A top-up that the provider has confirmed. */
const aPaidTopup = async (app: TestApp): Promise<{ id: string; providerPayinId: string }> => {
  const made = await app.call('POST /topups', {
    body: { userId: await app.aUser(), amount: '25.00', currency: 'USD' },
  });
  assert.equal(made.status, 201, made.text);
  const { id, providerPayinId } = made.body.data;
  assert.equal((await app.call(`POST /sandbox/payins/${id}/confirm`)).status, 200);
  const refreshed = await app.call(`POST /topups/${id}/refresh`);
  assert.equal(refreshed.body.data.status, 'TOPUP_SUCCEEDED', refreshed.text);
  return { id, providerPayinId };
};

const upload = async (page: Page, text: string): Promise<void> => {
  const form = page.getByRole('region', { name: 'Upload a statement' });
  await form
    .getByLabel('CSV file')
    .setInputFiles({ name: 'week.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await form.getByLabel('From').fill(dayAgo(7));
  await form.getByLabel('To, exclusive').fill(dayAgo(0));
  await form.getByRole('button', { name: 'Upload and compare' }).click();
};

test('a statement is uploaded, compared, filtered, downloaded and printed', async (t) => {
  const { app, open } = await openBrowser(t);
  const { id, providerPayinId } = await aPaidTopup(app);
  const page = await open('/provider-statements');
  await page.getByText('No provider statements yet').waitFor();
  await assertGoodInBothViews(page);

  const header = 'When,reference,amount,currency,description';
  const line = `${dayAgo(0)},${providerPayinId},25.00,USD,`;
  await upload(page, `${header}\n${line}\n${dayAgo(0)},unknown,1e400,USD,<b>x</b>\n`);
  await page.getByText('The file has no column "date"').waitFor();
  await page.getByText('Columns, currency and tolerance').click();
  await page.getByLabel('Column: date').fill('When');
  await upload(page, `${header}\n${line}\n${dayAgo(0)},unknown,1e400,USD,<b>x</b>\n`);
  await page.getByText('row 3: amount must be a decimal').waitFor();
  await assertGoodInBothViews(page);

  await upload(page, `${header}\n${line}\n${dayAgo(0)},unknown,3.505,USD,<b>x</b>\n`);
  await page.getByRole('heading', { name: 'Provider statement', exact: true }).waitFor();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByRole('row', { name: /Matched 1 25\.00 USD/ }).waitFor();
  await result.getByRole('row', { name: /Missing here 1 3\.505 USD/ }).waitFor();
  const lines = page.getByRole('region', { name: 'Lines' });
  const matched = lines.getByRole('row').filter({ hasText: 'Matched' });
  await matched.locator(`a[href$="/topups/${id}"]`).waitFor();
  await assertGoodInBothViews(page);

  await result.getByRole('link', { name: 'Missing here' }).click();
  await matched.waitFor({ state: 'detached' });
  await lines.getByText('<b>x</b>').waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  assert.match(csv, new RegExp(`\r\nMATCHED,2,.*,topup,${id},TOPUP_SUCCEEDED,25\\.00,`));

  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.getByRole('navigation', { name: 'Pages' }).isVisible(), false);
  assert.equal(await page.getByRole('button', { name: 'Download CSV' }).isVisible(), false);
  assert.equal(await result.getByText('Missing here').isVisible(), true);
  await page.emulateMedia({ media: null });

  await page.getByRole('link', { name: 'Provider statements' }).first().click();
  await page.getByRole('row', { name: /week\.csv/ }).waitFor();
});
