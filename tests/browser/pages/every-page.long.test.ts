// Every page of the console on a phone and on a wide screen, in light and dark. Takes screenshots for review.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser, setView } from '../support/browser-fixture.ts';
import { VIEWS } from '../support/check-state.ts';
import { assertAccessible, picture } from '../support/page-checks.ts';
import { assertWhole, goToNext, placesOfAllPages } from '../support/page-examples.ts';

test('every page fits and is accessible, at 390 and at 1280 pixels, in light and dark', async (t) => {
  const fixture = await openBrowser(t);
  const places = await placesOfAllPages(fixture.app);
  const page = await fixture.open('/nowhere');
  for (const place of places) {
    for (const [index, { name, ...seen }] of VIEWS.entries()) {
      await setView(page, seen);
      if (index === 0) await goToNext(page, place);
      await assertWhole(page, place);
      await assertAccessible(page);
      await picture(page, `page-${place.split('/')[1] || 'home'}${place.split('/').length > 2 ? '-one' : ''}-${name}`);
    }
  }
  assert.ok(places.length > 15);
});
