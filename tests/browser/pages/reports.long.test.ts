// The reports page: the closing with its seal, fee income, payouts and open items; each with its figures, a chart, a CSV file and a style for paper.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, NARROW, openOwnBrowser, setView, WIDE } from '../support/browser-fixture.ts';
import { assertGoodInBothViews, picture } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const trade = await tradeIn(app, { available: '2500.00' });
  const released = await trade.anOrder({ at: 'IN_PROGRESS', amount: '400.00' });
  await trade.done(`POST /orders/${released.id}/resolution/release`);
  const dispute = await trade.aDispute();
  const body = { userId: trade.buyerId, amount: '12.00', currency: 'USD' };
  const destination = { type: 'bank', email: 'anna@shop.example' };
  const { status } = await app.call('POST /withdrawals', { body: { ...body, destination } });
  assert.equal(status, 201);
  return { app, dispute, page: await open('/reports') };
});

/** The text of the file that the button saves. */
const csvOf = async (page: Page): Promise<string> => {
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const file = await coming;
  return `${file.suggestedFilename()}\n${await readFile((await file.path())!, 'utf8')}`;
};

/** A phone shows the same filters. */
const assertShownOnPhone = async (page: Page, labels: readonly string[]): Promise<void> => {
  await setView(page, { size: NARROW, scheme: 'light' });
  for (const label of labels) assert.ok(await page.getByLabel(label, { exact: true }).isVisible(), label);
  await setView(page, { size: WIDE, scheme: 'light' });
};

test('the closing shows whose the money is, where it is, and that the month is not sealed', async () => {
  const { app, page } = shared();
  const month = new Date().toISOString().slice(0, 7);
  const { currencies } = (await app.call(`GET /reports/closing?period=${month}`)).body.data;
  const usd = currencies.find(({ currency }: { currency: string }) => currency === 'USD');
  const region = page.getByRole('region', { name: 'Closing in USD' });
  await region.getByRole('row', { name: /Fees, part of out 20\.00/ }).waitFor();
  for (const name of ["Users' money", 'Whose it is at the end', 'Where all assets are at the end'])
    await region.getByRole('table', { name }).waitFor();
  const shown = (await region.getByRole('table', { name: 'Where all assets' }).textContent()) ?? '';
  assert.ok(shown.replaceAll(',', '').includes(`Payment provider${usd.assets.provider}`), shown);
  await page.getByText('The period has not ended.').waitFor();
  await assertGoodInBothViews(page);
  await assertShownOnPhone(page, ['Period', 'Month']);
  await picture(page, 'reports-closing');
  assert.match(await csvOf(page), new RegExp(`^closing-${month}\\.csv\nperiod,currency,opening`));
  await page.getByLabel('Period').selectOption('Day');
  await page.getByRole('heading', { name: new RegExp(`Closing of ${month}-`) }).waitFor();
});

test('fee income has a chart and a table, by day and by month', async () => {
  const { page } = shared();
  await page.getByRole('tab', { name: 'Fee income' }).click();
  const region = page.getByRole('region', { name: 'Fee income in USD' });
  await region.locator('.chart canvas').waitFor();
  await region
    .getByRole('row', { name: /20\.00/ })
    .last()
    .waitFor();
  const tiles = (await region.locator('.report-figures').textContent()) ?? '';
  assert.match(tiles, /^Earned20\.00Reversed0\.00Network and protocol fees[\d.]+Provider fees/);
  await page.getByText('Costs in other currencies are listed under those currencies.').waitFor();
  const ofNetwork = page.getByRole('region', { name: 'Fee income in XLM' });
  await ofNetwork.locator('.report-figures').waitFor();
  assert.equal(await ofNetwork.locator('.chart').count(), 0, 'a chart in which each day is zero is left out');
  await page.getByLabel('Interval').selectOption('Month');
  await region
    .getByRole('row', { name: new RegExp(`${new Date().toISOString().slice(0, 7)}.* 20\\.00`) })
    .last()
    .waitFor();
  await assertGoodInBothViews(page);
  await assertShownOnPhone(page, ['First day', 'Last day', 'Interval']);
  await picture(page, 'reports-fees');
  assert.match(await csvOf(page), /from,to,currency,earned/);
});

test('payouts are grouped by destination, and open items by age, with links to the oldest', async () => {
  const { page, dispute } = shared();
  await page.getByRole('tab', { name: 'Payouts' }).click();
  const bank = page.getByRole('region', { name: 'Bank, USD' });
  await bank.getByRole('row', { name: /anna@shop\.example.*12\.00 \(1\)/ }).waitFor();
  await assertGoodInBothViews(page);
  await assertShownOnPhone(page, ['First day', 'Last day']);
  await picture(page, 'reports-payouts');
  assert.match(await csvOf(page), /bank,USD,anna@shop\.example,1/);
  await page.getByRole('tab', { name: 'Open items' }).click();
  const disputes = page.getByRole('region', { name: 'Disputes', exact: true });
  await disputes.getByRole('row', { name: /Under 1 day \(1\) 100\.00/ }).waitFor();
  await page.getByRole('region', { name: 'Reconciliation differences' }).getByText('Nothing is open.').waitFor();
  await assertGoodInBothViews(page);
  await picture(page, 'reports-open-items');
  await disputes.getByRole('link').first().click();
  await page.waitForURL(new RegExp(dispute.id));
});

test('on paper there is no navigation and no button, and the text is black on white', async () => {
  const { page } = shared();
  await goTo(page, '/reports?tab=open-items');
  await page.getByRole('region', { name: 'Orders in escrow' }).waitFor();
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  for (const part of ['.rail', '.bar', '.tabs', '.panel-head .row'])
    assert.equal(await page.locator(part).first().isVisible(), false, part);
  const colours = await page.evaluate<string[]>(
    `(() => { const { color } = getComputedStyle(document.querySelector('.report-bars th'));
      return [color, getComputedStyle(document.documentElement).backgroundColor]; })()`,
  );
  assert.deepEqual(colours, ['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  assert.equal(await page.locator('.rail').isVisible(), true);
});
