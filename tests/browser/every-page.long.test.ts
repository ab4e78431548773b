// Every page of the console's table, whoever adds one, as it is seen on a phone and on a wide screen, in the light and in the
// dark. The pictures are kept for people to look at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { look, openStand } from './browser-stand.ts';
import { LOOKS } from './judge-state.ts';
import { assertAccessible, picture } from './page-checks.ts';
import { assertWhole, goToNext, placesOfAllPages } from './page-examples.ts';

test('every page fits and is accessible, at 390 and at 1280 pixels, in the light and in the dark', async (t) => {
  const stand = await openStand(t);
  const places = await placesOfAllPages(stand.app);
  const page = await stand.open('/nowhere');
  for (const place of places) {
    for (const [index, { name, ...seen }] of LOOKS.entries()) {
      await look(page, seen);
      if (index === 0) await goToNext(page, place);
      await assertWhole(page, place);
      await assertAccessible(page);
      await picture(page, `page-${place.split('/')[1] || 'home'}${place.split('/').length > 2 ? '-one' : ''}-${name}`);
    }
  }
  assert.ok(places.length > 15);
});
