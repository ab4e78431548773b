// Every page of the console's table, whoever adds one: accessible, and as wide as its window on a phone and on a wide screen.
// every-page.long.test.ts judges each of them at both widths and in both colours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, NARROW, openStand, WIDE } from './browser-stand.ts';
import { assertAccessible } from './page-checks.ts';
import { assertWhole, goToNext, placesOfAllPages } from './page-examples.ts';

test('every page fits at 390 pixels in the dark and at 1280 in the light, and is accessible there', async (t) => {
  const stand = await openStand(t);
  const places = await placesOfAllPages(stand.app);
  const page = await stand.open('/nowhere');
  for (const place of places) {
    await look(page, { size: NARROW, scheme: 'dark' });
    await goToNext(page, place);
    await assertWhole(page, place);
    await look(page, { size: WIDE, scheme: 'light' });
    await assertWhole(page, place);
    await assertAccessible(page);
  }
  assert.ok(places.length > 15);
});
