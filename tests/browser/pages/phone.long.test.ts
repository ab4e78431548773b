// The console on a phone, 390 pixels wide: low rows in every list, folded filters, and targets that a finger can hit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { NARROW, openBrowser, setView } from '../support/browser-fixture.ts';
import { assertFits, picture } from '../support/page-checks.ts';
import { goToNext, placesOfAllPages } from '../support/page-examples.ts';

const ROW_MAX_PX = 72;
const TARGET_MIN_PX = 44;
/** Lists of the examples that have rows. Each row was 111 to 261 pixels high when every value had its own line. */
const LISTS_MIN = 17;
const FILTERED_MIN = 8;

type Table = { readonly name: string; readonly heights: readonly number[]; readonly cut: readonly string[] };

/** Runs in the page: the rows of each list, and the cells whose content is higher than they are. */
const measureLists = `[...document.querySelectorAll('#main table.table[data-compact]')].map((table) => ({
  name: table.caption.textContent,
  heights: [...table.querySelectorAll('tbody tr')].map((row) => row.getBoundingClientRect().height),
  cut: [...table.querySelectorAll('tbody td')]
    .filter((cell) => cell.offsetParent && cell.scrollHeight > cell.clientHeight + 3)
    .map((cell) => cell.dataset.label + ': ' + cell.textContent),
}))`;

/** Runs in the page: what is visible and lower than a finger. Links in a sentence and marks that copy an ID are no targets of their own. */
const smallTargets = `[...document.querySelectorAll('button, select, input, summary, [role="tab"], .rail a')]
  .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.closest('.hidden-text, .skip'))
  .filter((each) => !each.matches('.id-copy, [type="checkbox"], [type="radio"], [type="range"], [type="file"]'))
  .map((each) => ({ html: each.outerHTML.slice(0, 160), height: each.getBoundingClientRect().height }))
  .filter(({ height }) => height > 1 && height < ${TARGET_MIN_PX})
  .map(({ html, height }) => height + ' ' + html)`;

const openFilters = `[...document.querySelectorAll('#main search.filters:not([data-open]) .field')]
  .filter((each) => each.checkVisibility()).map((each) => each.textContent)`;

/** A count of one with a plural. */
const WRONG_NUMBER =
  /(?<![\d.,:])1 (orders|users|entries|events|deliveries|attempts|calls|lines|rows|minutes|hours|days|passkeys|milestones|keys|marketplaces|requests|payments|breaks|disputes|notes|files|jobs|times|destinations|sessions|operators|endpoints|versions)\b/;

const loaded = (page: Page): Promise<void> => page.locator('#main .skeleton').first().waitFor({ state: 'detached' });

test('at 390 pixels every list has rows of at most 72 pixels, folded filters, and targets of at least 44', async (t) => {
  const fixture = await openBrowser(t);
  const places = await placesOfAllPages(fixture.app);
  const page = await fixture.open('/nowhere', { size: NARROW });
  const lists: Table[] = [];
  const problems: string[] = [];
  let filtered = 0;
  for (const place of places) {
    await goToNext(page, place);
    await loaded(page);
    await assertFits(page);
    lists.push(...(await page.evaluate<Table[]>(measureLists)));
    for (const field of await page.evaluate<string[]>(openFilters)) problems.push(`${place}: ${field} is not folded`);
    for (const target of await page.evaluate<string[]>(smallTargets)) problems.push(`${place}: ${target}`);
    const wrong = WRONG_NUMBER.exec(await page.locator('#main').innerText());
    if (wrong) problems.push(`${place}: ${wrong[0]}`);
    filtered += await page.getByRole('button', { name: /^Filters/ }).count();
  }
  assert.deepEqual(problems, []);
  const measured = lists.filter(({ heights }) => heights.length > 0);
  t.diagnostic(measured.map(({ name, heights }) => `${name} ${Math.max(...heights)}`).join(', '));
  for (const { name, heights, cut } of measured) {
    assert.ok(Math.max(...heights) <= ROW_MAX_PX, `${name}: ${heights.join()}`);
    assert.deepEqual(cut, [], name);
  }
  assert.ok(measured.length >= LISTS_MIN, `${measured.length} lists`);
  assert.ok(filtered >= FILTERED_MIN, `${filtered} pages with filters`);
});

test('a tap anywhere on a row opens the record, and a row without a page opens in place', async (t) => {
  const fixture = await openBrowser(t);
  const userId = await fixture.app.aUser({ available: '12.00' });
  const page = await fixture.open('/users', { size: NARROW });
  const row = page.getByRole('row').filter({ hasText: '12.00' });
  await row.click({ position: { x: 300, y: 50 } });
  await page.waitForURL(new RegExp(userId));

  await goToNext(page, '/keys');
  await loaded(page);
  const key = page.getByRole('row').filter({ hasText: 'you' });
  assert.equal(await key.getByText('Created').count(), 0);
  assert.ok(await key.locator('[data-label="Created"]').isHidden());
  await key.getByRole('button', { name: 'Show more' }).click();
  assert.ok(await key.locator('[data-label="Created"]').isVisible());
  assert.ok(await key.locator('[data-label="Actions"]').isVisible());
  await picture(page, 'phone-keys-open');
  await key.getByRole('button', { name: 'Show less' }).click();
  assert.ok(await key.locator('[data-label="Created"]').isHidden());
});

test('the button of folded filters shows how many are set', async (t) => {
  const fixture = await openBrowser(t);
  const page = await fixture.open('/orders?status=CLOSED&clientOrderRef=one', { size: NARROW });
  const toggle = page.getByRole('button', { name: 'Filters, 2 set' });
  await toggle.click();
  assert.equal(await page.getByLabel('Status').inputValue(), 'CLOSED');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
  await setView(page, { size: NARROW, scheme: 'dark' });
  await assertFits(page);
});
