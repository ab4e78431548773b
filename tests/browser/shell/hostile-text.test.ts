// Text of users that is long, blank or right-to-left does not change the rest of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolateBidi } from '../../../console/src/parts/bidi.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, NARROW, openBrowser, WIDE } from '../support/browser-fixture.ts';
import { assertFits } from '../support/page-checks.ts';

const TURNED = 'abc\u202Edef';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/nowhere') };
});

test('a long ID and a long metadata name fit on a wide and on a narrow page', async () => {
  const { app, page } = shared();
  const long = 'x'.repeat(200);
  const made = await app.call('POST /users', {
    body: { externalUserId: long, metadata: { ['k'.repeat(60)]: 'v'.repeat(200) } },
  });
  assert.equal(made.status, 201, made.text);
  const trade = await tradeIn(app, { available: '300.00' });
  const metadata = { ['k'.repeat(60)]: 'v'.repeat(200) };
  const between = { buyer: trade.buyerId, seller: made.body.data.id };
  const order = await trade.anOrder({ at: 'IN_PROGRESS', between, metadata, title: 'w'.repeat(180) });
  const dispute = await trade.done(`POST /orders/${order.id}/resolution/dispute`, {
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

test('a name that changes the text direction is isolated, and a blank title counts as missing', async () => {
  assert.equal(isolateBidi('Anna, 5.00'), 'Anna, 5.00');
  assert.equal(isolateBidi(TURNED), '\u2068abcdef\u2069');
  assert.equal(isolateBidi('\u2069\u202Eabc'), '\u2068abc\u2069');
  const { app, page } = shared();
  const made = await app.call('POST /users', { body: { externalUserId: TURNED } });
  assert.equal(made.status, 201, made.text);
  const trade = await tradeIn(app, {});
  await trade.anOrder({ title: ' \u00A0 ' });
  await goTo(page, `/users/${made.body.data.id}`);
  await page.getByRole('button', { name: 'Suspend' }).click();
  await page.getByRole('heading', { name: 'Suspend \u2068abcdef\u2069?' }).waitFor();
  assert.equal(await page.title(), '\u2068abcdef\u2069 · Holdfast');

  await goTo(page, '/orders');
  await page.getByRole('link', { name: /^Order ord_…/ }).waitFor();
});
