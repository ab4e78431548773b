// The dispute pages: a dispute from its opening to a split, the queue by age, and a key without the support scope.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../tools/until.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, NARROW, openBrowser, WIDE } from '../support/browser-fixture.ts';
import { assertFits } from '../support/page-checks.ts';

const EVIDENCE = ['https://files.example/contract.pdf', 'javascript:alert(1)', 'ticket 4711'];

/** Elements wider than their panel. */
const BEYOND_PANELS = `[...document.querySelectorAll('.panel')].flatMap((panel) => [...panel.querySelectorAll('*')]
  .filter((each) => !each.closest('.hidden-text') && each.getBoundingClientRect().right > panel.getBoundingClientRect().right + 0.5)
  .map((each) => each.outerHTML.slice(0, 120)))`;

const AT_CONTEXT = `document.activeElement.classList.contains('dispute-result')`;

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/disputes') };
});

test('the queue shows the oldest dispute first and updates live, and open disputes are not listed as resolved', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '500.00' });
  const { id } = await trade.aDispute({ reason: 'OTHER' });
  await page.getByRole('cell', { name: 'Other, by the buyer' }).waitFor();
  await trade.aDispute({ openedBy: 'SELLER' });
  await page.getByRole('cell', { name: 'Not delivered, by the seller' }).waitFor();
  const rows = await page.getByRole('row').allTextContents();
  assert.match(rows.at(-1) ?? '', /Not delivered/, 'the newest is last');
  await app.call(`POST /disputes/${id}/assign`, { body: { assignedTo: 'Clara' } });
  await page.getByRole('link', { name: 'Under review' }).click();
  await page.getByRole('cell', { name: 'Clara' }).waitFor();
  assert.match(page.url(), /status=UNDER_REVIEW/);
  await page.getByRole('link', { name: 'Resolved' }).click();
  await page.getByText('No resolved disputes').waitFor();
});

test('a dispute is opened, assigned and split, and both parties get what the slider showed', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '500.00' });
  const past = await trade.anOrder({ at: 'IN_PROGRESS', amount: '40.00', title: 'Business cards' });
  await trade.done(`POST /orders/${past.id}/resolution/release`);
  const { id } = await trade.anOrder({
    at: 'IN_PROGRESS',
    amount: '99.99',
    title: 'Logo',
    metadata: { platformFee: '7.25' },
  });

  await goTo(page, `/orders/${id}`);
  await page.getByRole('button', { name: 'Open dispute' }).click();
  const window = page.getByRole('alertdialog');
  await window.getByLabel('Reason').selectOption('QUALITY_ISSUE');
  await window.getByLabel('Evidence').fill(EVIDENCE.join('\n'));
  await window.getByRole('button', { name: 'Open dispute' }).click();
  await page.getByRole('link', { name: 'Resolve dispute' }).click();

  await page.getByRole('heading', { level: 1, name: 'Dispute: Logo' }).waitFor();
  const link = page.getByRole('link', { name: EVIDENCE[0]! });
  assert.deepEqual(
    [await link.getAttribute('href'), await link.getAttribute('rel'), await link.getAttribute('target')],
    [EVIDENCE[0], 'noopener noreferrer', '_blank'],
  );
  await page.getByText(EVIDENCE[1]!).waitFor();
  assert.equal(await page.locator('a[href^="javascript"]').count(), 0);
  await page
    .getByRole('region', { name: /^Buyer: / })
    .getByRole('link', { name: 'Business cards' })
    .waitFor();
  await page.getByRole('button', { name: /^Assign to me/ }).click();

  const slider = page.getByRole('slider', { name: 'Seller’s share' });
  await slider.waitFor();
  await until(() => page.evaluate<boolean>(AT_CONTEXT), 'the focus is on the result');
  await slider.focus();
  await slider.fill('6000');
  await slider.press('ArrowRight');
  await slider.press('ArrowRight');
  await slider.press('ArrowLeft');
  assert.equal(await slider.getAttribute('aria-valuetext'), '60.01 USD for the seller, 39.98 for the buyer');
  const context = page.getByRole('region', { name: 'Resolve', exact: true });
  await context.getByRole('row', { name: /Platform fees – \+4\.350725/ }).waitFor();
  await context.getByRole('row', { name: /Seller, available 38\.000000 \+55\.659275 93\.659275 USD/ }).waitFor();
  await context.getByRole('row', { name: /Buyer, available 360\.01 \+39\.98 399\.99 ?USD/ }).waitFor();
  // Seven decimals fit on a wide screen and on a phone.
  for (const size of [{ width: 1280, height: 1250 }, NARROW]) {
    await page.setViewportSize(size);
    await assertFits(page);
    assert.deepEqual(await page.evaluate(BEYOND_PANELS), []);
  }
  await context.getByLabel('Note', { exact: true }).fill('The first draft was good, the second was never sent.');
  await page.setViewportSize(WIDE);
  await page.getByRole('button', { name: 'Resolve dispute' }).click();
  await window.getByRole('button', { name: 'Pay out 99.99 USD' }).click();

  const outcome = page.getByRole('region', { name: 'Outcome' });
  await outcome.getByText('The first draft was good').waitFor();
  await outcome.getByText('93.659275').waitFor();
  await outcome.getByText('399.99').waitFor();
  await until(() => page.evaluate<boolean>(AT_CONTEXT), 'the focus is on the outcome');
  assert.deepEqual(await trade.figures(), ['399.99', '0.00']);
  assert.deepEqual(await trade.figures(trade.sellerId), ['93.65', '0.00']);
});

test('a key without the support scope can only view disputes', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '500.00' });
  const { id } = await trade.aDispute();
  await goTo(page, '/disputes');
  await changeKey(page, await app.key(['read', 'write']));
  await page.getByText('You can view disputes but not resolve them').waitFor();
  await goTo(page, `/disputes/${id}`);
  const take = page.getByRole('button', { name: /^Assign to me/ });
  await take.waitFor();
  assert.equal(await take.getAttribute('aria-disabled'), 'true');
  assert.match((await take.getAttribute('title')) ?? '', /lacks the “support” scope/);
  await app.call(`POST /disputes/${id}/assign`, { body: { assignedTo: 'Clara' } });
  const decide = page.getByRole('button', { name: 'Resolve dispute' });
  await decide.waitFor();
  assert.equal(await decide.getAttribute('aria-disabled'), 'true');
  await page.getByRole('paragraph').filter({ hasText: 'Your key cannot do this' }).waitFor();
});
