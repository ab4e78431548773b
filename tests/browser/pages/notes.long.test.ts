// Notes in the console: written on the pages of an order, a user, a payment, a dispute and a break, with author and time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, openBrowser } from '../support/browser-fixture.ts';
import { openRecord } from '../support/correct.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/orders') };
});

/** With the keyboard: the field, the button, and the note with its author. */
const write = async (page: Page, text: string): Promise<void> => {
  const panel = page.getByRole('region', { name: 'Notes' });
  await panel.getByLabel('New note').focus();
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const note = panel.getByRole('listitem').filter({ hasText: text });
  await note.getByRole('time').waitFor();
  assert.equal(await panel.getByLabel('New note').inputValue(), '');
};

test('a note is written on the page of every record that has notes, and other callers read it', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '500.00' });
  const dispute = await trade.aDispute();
  const common = { userId: trade.buyerId, amount: '12.00', currency: 'USD' };
  const topup = (await app.call('POST /topups', { body: common })).body.data;
  const destination = { type: 'bank', email: 'anna@shop.example' };
  const withdrawal = (await app.call('POST /withdrawals', { body: { ...common, destination } })).body.data;
  const places = {
    order: `/orders/${dispute.orderId}`,
    dispute: `/disputes/${dispute.id}`,
    user: `/users/${trade.buyerId}?tab=notes`,
    topup: `/topups/${topup.id}`,
    withdrawal: `/withdrawals/${withdrawal.id}`,
  };
  for (const [kind, place] of Object.entries(places)) {
    await openRecord(page, place);
    await write(page, `About the ${kind}: the buyer called.`);
    const { data } = (await app.call(`GET /notes?resourceType=${kind}`)).body.data;
    assert.deepEqual(
      data.map(({ text }: { text: string }) => text),
      [`About the ${kind}: the buyer called.`],
    );
  }
  await assertGoodInBothViews(page);
});

test('a break opens beside the list, with its facts, its advice and its notes, and Escape closes it', async () => {
  const { app, page } = shared();
  await app.sql(
    `insert into breaks (marketplace_id, kind, subject, expected, actual, difference, first_seen_at, last_seen_at)
     values ($1, 'deposit', 'op-77', 0, 12.5, 12.5, now(), now())`,
    [app.marketplaceId],
  );
  await goTo(page, '/breaks');
  await page.getByRole('link', { name: 'Payment that was not credited' }).focus();
  await page.keyboard.press('Enter');
  const aside = page.getByRole('complementary', { name: 'Payment that was not credited' });
  await aside.getByText('12.5000000').first().waitFor();
  await write(page, 'Asked the sender.');
  await assertGoodInBothViews(page);
  await aside.getByRole('heading', { level: 2, name: 'Payment that was not credited' }).press('Escape');
  await aside.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('link', { name: 'Payment that was not credited' }).count(), 1);
});

test('a key without the scope to write reads the notes and gets the reason', async () => {
  const { app, page } = shared();
  const userId = await app.aUser();
  await app.call('POST /notes', { body: { resourceType: 'user', resourceId: userId, text: 'Verified by phone.' } });
  await goTo(page, `/users/${userId}?tab=notes`);
  await changeKey(page, await app.key(['read']));
  const panel = page.getByRole('region', { name: 'Notes' });
  await panel.getByText('Verified by phone.').waitFor();
  const button = panel.getByRole('button', { name: 'Add note' });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
  assert.match((await button.getAttribute('title'))!, /read-only/);
});
