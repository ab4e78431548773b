// What others wrote may be long, blank or written from the right: it is shown as theirs, and the rest stays where it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolated } from '../../console/src/parts/foreign.ts';
import { fundedOrder, shopIn } from '../contract/order-ground.ts';
import { look, NARROW, openStand, signIn, WIDE } from './browser-stand.ts';
import { assertFits } from './page-checks.ts';

const TURNED = 'abc\u202Edef';

test('a long id and a long name of a fact fit on a wide and on a narrow page', async (t) => {
  const stand = await openStand(t);
  const long = 'x'.repeat(200);
  const made = await stand.app.call('POST /users', {
    body: { externalUserId: long, metadata: { ['k'.repeat(60)]: 'v'.repeat(200) } },
  });
  assert.equal(made.status, 201, made.text);
  const shop = await shopIn(stand.app, { available: '300.00' });
  const metadata = { ['k'.repeat(60)]: 'v'.repeat(200) };
  const parties = { sellerId: made.body.data.id, metadata, title: 'w'.repeat(180) };
  const order = await fundedOrder(shop, parties);
  const dispute = await shop.done(`POST /orders/${order.id}/resolution/dispute`, {
    body: { orderId: order.id, openedBy: 'BUYER', reason: 'OTHER', evidence: ['e'.repeat(200)] },
  });
  const page = await stand.open('/', { key: null });
  await page.getByLabel('Keep it for this tab').check();
  await signIn(page, await stand.app.key(['*']));
  for (const size of [WIDE, NARROW]) {
    await look(page, { size, scheme: 'light' });
    for (const place of [`users/${made.body.data.id}`, 'users', 'orders', `orders/${order.id}`]) {
      await page.goto(`${stand.app.url}/console/${place}`);
      await page
        .getByText(/x{200}|w{180}/)
        .first()
        .waitFor();
      await assertFits(page);
    }
    await page.goto(`${stand.app.url}/console/disputes/${dispute.id}`);
    await page.getByRole('heading', { level: 1, name: /w{180}/ }).waitFor();
    await assertFits(page);
  }
});

test('a name that turns the direction ends where it ends, and a blank title counts as none', async (t) => {
  assert.equal(isolated('Anna, 5.00'), 'Anna, 5.00');
  assert.equal(isolated(TURNED), '\u2068abcdef\u2069');
  assert.equal(isolated('\u2069\u202Eabc'), '\u2068abc\u2069');
  const stand = await openStand(t);
  const made = await stand.app.call('POST /users', { body: { externalUserId: TURNED } });
  assert.equal(made.status, 201, made.text);
  const shop = await shopIn(stand.app, {});
  await shop.order({ title: ' \u00A0 ' });
  const page = await stand.open(`/users/${made.body.data.id}`);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('heading', { name: 'Suspend \u2068abcdef\u2069?' }).waitFor();
  assert.equal(await page.title(), '\u2068abcdef\u2069 · Holdfast');

  const list = await stand.open('/orders');
  await list.getByRole('link', { name: /^Order ord_…/ }).waitFor();
});
