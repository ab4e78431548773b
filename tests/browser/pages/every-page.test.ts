// The main pages of the console: accessible, and no wider than the window. The menu around the pages is the same for all and is
// checked once. every-page.long.test.ts checks every whole page at both widths and in both colour schemes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NARROW, openBrowser, setView, WIDE } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';
import { assertWhole, goToNext, placesOfAllPages } from '../support/page-examples.ts';

/** The home page, a list, a page with a chart, forms, and two records. */
const MAIN = /^\/(|orders|orders\/.+|reports|disputes\/.+|users\/.+|keys)$/;

test('the main pages fit at 390 pixels in dark and at 1280 pixels in light, and are accessible', async (t) => {
  const fixture = await openBrowser(t);
  const places = (await placesOfAllPages(fixture.app)).filter((place) => MAIN.test(place));
  const page = await fixture.open('/nowhere');
  for (const [index, place] of places.entries()) {
    await setView(page, { size: NARROW, scheme: 'dark' });
    await goToNext(page, place);
    await assertWhole(page, place);
    await setView(page, { size: WIDE, scheme: 'light' });
    await assertWhole(page, place);
    await assertAccessible(page, { within: index === 0 ? 'html' : '#main' });
  }
  assert.equal(places.length, 7);
});
