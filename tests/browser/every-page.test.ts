// Every page of the console's table, whoever adds one: on a phone and on a wide screen, in the light and in the dark.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { disputeIn, shopIn } from '../contract/order-ground.ts';
import { look, NARROW, openStand, signIn, WIDE } from './browser-stand.ts';
import { assertAccessible, assertFits } from './page-checks.ts';

const TABLE = path.resolve(import.meta.dirname, '../../console/src/pages.ts');

/** Read as text: the table leads to the pages themselves, which only the bundler understands. */
const pagePaths = async (): Promise<string[]> => {
  const paths = [...(await readFile(TABLE, 'utf8')).matchAll(/\{ path: '([^']*)'/g)].map(([, found]) => found!);
  assert.ok(paths.length > 15 && paths.includes('orders/:id'), paths.join());
  return paths;
};

type Stand = Awaited<ReturnType<typeof openStand>>;

/** One of each thing that has a page, by the path of the page. */
const examples = async ({ app }: Stand): Promise<Readonly<Record<string, string>>> => {
  const shop = await shopIn(app, { available: '500.00' });
  const dispute = await disputeIn(shop);
  const asked = { userId: shop.buyerId, amount: '12.00', currency: 'USD' };
  const made = async (path: string, body: object): Promise<string> => {
    const { status, text, body: answer } = await app.call(path, { body: { ...asked, ...body } });
    assert.equal(status, 201, text);
    return answer.data.id;
  };
  return {
    'orders/:id': dispute.orderId,
    'disputes/:id': dispute.id,
    'users/:id': shop.buyerId,
    'topups/:id': await made('POST /topups', {}),
    'withdrawals/:id': await made('POST /withdrawals', { destination: { type: 'bank', email: 'anna@shop.example' } }),
  };
};

for (const half of ['even', 'odd']) {
  test(`every page fits and is accessible, at 1280 pixels in the light and at 390 in the dark: ${half} rows`, async (t) => {
    const stand = await openStand(t);
    const ids = await examples(stand);
    const page = await stand.open('/', { key: null });
    await page.getByLabel('Keep it for this tab').check();
    await signIn(page, await stand.app.key(['*']));
    for (const place of (await pagePaths()).filter((_, row) => row % 2 === (half === 'even' ? 0 : 1))) {
      if (place.includes(':')) assert.ok(ids[place], `an example for ${place}`);
      await look(page, { size: WIDE, scheme: 'light' });
      await page.goto(`${stand.app.url}/console/${place.replace(':id', '')}${ids[place] ?? ''}`);
      await page.locator('#main h1').waitFor();
      await assertWell(page, place);
      await look(page, { size: NARROW, scheme: 'dark' });
      await assertWell(page, place);
    }
  });
}

const assertWell = async (page: Page, place: string): Promise<void> => {
  await assertAccessible(page);
  await assertFits(page);
  assert.equal(await page.locator('h1').count(), 1, place);
  assert.equal(await page.getByText('could not be loaded').count(), 0, place);
};
