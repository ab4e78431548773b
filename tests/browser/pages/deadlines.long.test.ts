// The deadlines of an order on its page: a countdown, hold, resume, extend and "do it now", and what the sandbox's clock makes due.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const rules = { cancelUnfundedAfter: 'P3D', autoReleaseAfter: 'P7D', remindBefore: ['P1D'] };
  await app.call('POST /policies', { body: { name: 'shop', rules } });
  return { app, page: await open('/orders') };
});

const confirm = async (page: Page, name: string): Promise<void> => {
  const dialog = page.getByRole('alertdialog');
  const button = dialog.getByRole('button', { name });
  assert.match((await button.getAttribute('title')) ?? '', /Enter/);
  await dialog.getByLabel('Reason').fill('The buyer has asked for it');
  await button.click();
  await dialog.waitFor({ state: 'detached' });
};

test('a deadline is held, resumed and carried out, each with a reason in the audit trail', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '100.00' });
  const { id } = await trade.anOrder({ title: 'A lamp', amount: '40.00', policy: 'shop' });
  await goTo(page, `/orders/${id}`);
  const panel = page.getByRole('region', { name: 'Deadlines' });
  await panel.getByText('Cancel, if not funded', { exact: true }).waitFor();
  await panel.getByText(/in 2 d 23 h|in 3 d/).waitFor();
  await panel.getByRole('link', { name: 'shop, version 1' }).waitFor();
  await assertGoodInBothViews(page);

  await panel.getByRole('button', { name: /^Hold/ }).click();
  await assertGoodInBothViews(page);
  await confirm(page, 'Hold deadline');
  await panel.getByText('Held').first().waitFor();
  await panel.getByRole('button', { name: /^Resume/ }).click();
  await confirm(page, 'Resume deadline');
  await panel.getByRole('button', { name: /^Hold/ }).waitFor();
  await panel.getByRole('button', { name: /^Do it now/ }).click();
  await confirm(page, 'Do it now');
  await page.getByText('Closed: canceled').waitFor();
  await panel.getByText('No deadline is running.').waitFor();
  await panel.getByRole('button', { name: 'Show past ones too' }).click();
  await panel.getByText('Done', { exact: true }).waitFor();

  const { body } = await app.call(`GET /audit/logs?resourceId=${id}&limit=50`);
  const held = body.data.data.filter(({ action }: { action: string }) => action.startsWith('DEADLINE_'));
  assert.deepEqual(
    held.map(({ action, payloadAfter }: { action: string; payloadAfter: { reason?: string } }) => [
      action,
      payloadAfter.reason,
    ]),
    [
      ['DEADLINE_PASSED', 'The buyer has asked for it'],
      ['DEADLINE_RESUMED', 'The buyer has asked for it'],
      ['DEADLINE_HELD', 'The buyer has asked for it'],
    ],
  );
});

test('an extended deadline is shown with its new time', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '100.00' });
  const { id } = await trade.anOrder({ at: 'IN_PROGRESS', title: 'A chair', amount: '40.00', policy: 'shop' });
  await goTo(page, `/orders/${id}`);
  const panel = page.getByRole('region', { name: 'Deadlines' });
  await panel.getByText(/in 6 d 23 h|in 7 d/).waitFor();
  await panel.getByRole('button', { name: /^Extend/ }).click();
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 16);
  await page.getByRole('alertdialog').getByLabel('New time').fill(soon);
  await confirm(page, 'Extend deadline');
  await panel.getByText(/in (19|20) d/).waitFor();
});
