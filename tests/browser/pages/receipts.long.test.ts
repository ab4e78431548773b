// Receipts in the browser: the console downloads the PDF file and creates and revokes the public link, and the public page is good for readers.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { openOwnBrowser } from '../support/browser-fixture.ts';
import { openRecord } from '../support/correct.ts';
import { assertAccessible, assertFits, assertGoodInBothViews } from '../support/page-checks.ts';

test('the console downloads a receipt and gives out a public link, and its page has no script and no violation', async (t) => {
  const { app, open } = await openOwnBrowser(t, { PUBLIC_RECEIPTS: 'on' });
  const trade = await tradeIn(app, { available: '500.00' });
  const dispute = await trade.aDispute();
  const page = await open('/orders');
  await openRecord(page, `/orders/${dispute.orderId}`);
  const panel = page.getByRole('region', { name: 'Receipt' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download PDF' }).click(),
  ]);
  assert.equal((await readFile(await download.path())).subarray(0, 5).toString(), '%PDF-');
  await panel.getByRole('button', { name: 'Create public link' }).click();
  const url = await page.getByRole('dialog').locator('.secret').innerText();
  await page.getByRole('button', { name: 'I have saved the secret' }).click();
  await panel.getByRole('button', { name: 'Revoke public link' }).waitFor();
  await assertGoodInBothViews(page);

  const reader = await page.context().newPage();
  await reader.goto(url);
  await reader.getByRole('heading', { name: 'Receipt' }).waitFor();
  assert.equal(await reader.locator('script').count(), 0);
  await assertFits(reader);
  await assertAccessible(reader);
  await panel.getByRole('button', { name: 'Revoke public link' }).click();
  await panel.getByText('The receipt has no public link.').waitFor();
  assert.equal((await reader.goto(url))?.status(), 404);
  await reader.close();
});
