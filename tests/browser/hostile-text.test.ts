// What others wrote may be long, blank or written from the right: it is shown as theirs, and the rest stays where it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolated } from '../../console/src/parts/foreign.ts';
import { fundedOrder, shopIn } from '../contract/order-ground.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { goTo, NARROW, openStand, WIDE } from './browser-stand.ts';
import { assertFits } from './page-checks.ts';

const TURNED = 'abc\u202Edef';

const shared = shareInFile(async (t) => {
  const stand = await openStand(t);
  return { ...stand, page: await stand.open('/nowhere') };
});

test('a long id and a long name of a fact fit on a wide and on a narrow page', async () => {
  const { app, page } = shared();
  const long = 'x'.repeat(200);
  const made = await app.call('POST /users', {
    body: { externalUserId: long, metadata: { ['k'.repeat(60)]: 'v'.repeat(200) } },
  });
  assert.equal(made.status, 201, made.text);
  const shop = await shopIn(app, { available: '300.00' });
  const metadata = { ['k'.repeat(60)]: 'v'.repeat(200) };
  const parties = { sellerId: made.body.data.id, metadata, title: 'w'.repeat(180) };
  const order = await fundedOrder(shop, parties);
  const dispute = await shop.done(`POST /orders/${order.id}/resolution/dispute`, {
    body: { orderId: order.id, openedBy: 'BUYER', reason: 'OTHER', evidence: ['e'.repeat(200)] },
  });
  const pages = [
    { place: '/users', heading: 'Users', text: /x{200}/ },
    { place: `/users/${made.body.data.id}`, heading: /^x{200}/, text: /v{200}/ },
    { place: '/orders', heading: 'Orders', text: /w{180}/ },
    { place: `/orders/${order.id}`, heading: /^w{180}/, text: /v{200}/ },
    { place: `/disputes/${dispute.id}`, heading: /^Dispute: w{180}/, text: /e{200}/ },
  ];
  for (const { place, heading, text } of pages) {
    await goTo(page, place);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByText(text).first().waitFor();
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size);
      await assertFits(page);
    }
  }
  await page.setViewportSize(WIDE);
});

test('a name that turns the direction ends where it ends, and a blank title counts as none', async () => {
  assert.equal(isolated('Anna, 5.00'), 'Anna, 5.00');
  assert.equal(isolated(TURNED), '\u2068abcdef\u2069');
  assert.equal(isolated('\u2069\u202Eabc'), '\u2068abc\u2069');
  const { app, page } = shared();
  const made = await app.call('POST /users', { body: { externalUserId: TURNED } });
  assert.equal(made.status, 201, made.text);
  const shop = await shopIn(app, {});
  await shop.order({ title: ' \u00A0 ' });
  await goTo(page, `/users/${made.body.data.id}`);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('heading', { name: 'Suspend \u2068abcdef\u2069?' }).waitFor();
  assert.equal(await page.title(), '\u2068abcdef\u2069 · Holdfast');

  await goTo(page, '/orders');
  await page.getByRole('link', { name: /^Order ord_…/ }).waitFor();
});
