// The pages of policies: one is created from a template with its picture, a wrong rule is named, a next version follows, and an order
// takes it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openOwnBrowser(t);
  return { app, page: await open('/policies') };
});

test('a policy is created from a template, and a wrong rule is named beside the rules', async () => {
  const { app, page } = shared();
  await page.getByText('No policies yet').waitFor();
  await page.getByRole('button', { name: 'Create policy' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create policy' });
  assert.match((await create.getAttribute('title')) ?? '', /Enter a name/);
  await dialog.getByLabel('Name').fill('shop');
  await dialog.getByLabel('Begin with').selectOption('Shop with an inspection window');
  await dialog.getByText('after 14 days, unless the order is disputed or refunded', { exact: true }).waitFor();
  await assertGoodInBothViews(page);

  const rules = dialog.getByLabel('Rules');
  await rules.fill('{ "autoReleaseAfter": ');
  await dialog.getByText('This is not a JSON object.').waitFor();
  await rules.fill('{ "autoReleaseAfter": "soon" }');
  await create.click();
  await dialog
    .getByRole('alert')
    .getByText(/rules\.autoReleaseAfter/)
    .waitFor();
  await rules.fill('{ "autoReleaseAfter": "P14D", "remindBefore": ["P2D", "P30D"] }');
  await create.click();
  await page.getByRole('heading', { name: 'shop, version 1', level: 1 }).waitFor();
  await page.getByText('Last milestone completed: after 14 days').waitFor({ state: 'attached' });
  const told = await page.locator('.policy-line .hidden-text').textContent();
  assert.match(told ?? '', /Reminders 2 days before\.$/, 'a reminder that is longer than the time is not shown');
  await assertGoodInBothViews(page);
  const [made] = (await app.call('GET /policies')).body.data.data;
  assert.deepEqual(made.rules, { autoReleaseAfter: 'P14D', remindBefore: ['P2D', 'P30D'] });
});

test('the next version begins with the rules of this one, and the list shows both', async () => {
  const { app, page } = shared();
  const body = { name: 'studio', rules: { cancelUnfundedAfter: 'P3D', platformFee: { percent: '10', min: '2.00' } } };
  const { id } = (await app.call('POST /policies', { body })).body.data;
  await goTo(page, `/policies/${id}`);
  await page.getByText('10 %, at least 2.00').waitFor();
  await page.getByRole('button', { name: 'Create next version' }).click();
  const dialog = page.getByRole('dialog');
  assert.match(await dialog.getByLabel('Rules').inputValue(), /"cancelUnfundedAfter": "P3D"/);
  await dialog.getByLabel('Rules').fill('{ "cancelUnfundedAfter": "PT36H" }');
  await dialog.getByRole('button', { name: 'Create version' }).click();
  await page.getByRole('heading', { name: 'studio, version 2', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'Version 1' }).waitFor();
  await goTo(page, '/policies');
  await page.getByRole('row', { name: /studio.*The order is canceled after 36 hours/ }).waitFor();
  await page.getByRole('row', { name: /studio.*The order is canceled after 3 days/ }).waitFor();
  await assertGoodInBothViews(page);
});

test('a new order takes a policy by its name', async () => {
  const { app, page } = shared();
  await app.call('POST /policies', { body: { name: 'express', rules: { autoReleaseAfter: 'PT2H' } } });
  for (const externalUserId of ['anna-buys', 'bert-sells']) await app.call('POST /users', { body: { externalUserId } });
  await goTo(page, '/orders');
  await page.getByRole('button', { name: 'New order' }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, name] of Object.entries({ Buyer: 'anna-buys', Seller: 'bert-sells' })) {
    await dialog.getByLabel(label).click();
    await page.keyboard.type(name);
    await page.getByRole('option', { name: new RegExp(name) }).click();
  }
  await dialog.getByLabel('Amount').fill('25.00');
  await dialog.getByLabel('Policy').selectOption('express');
  await dialog.getByRole('button', { name: 'Create order' }).click();
  await page.waitForURL(/\/orders\/ord_/);
  const orderId = page.url().split('/').at(-1);
  const order = (await app.call(`GET /orders/${orderId}`)).body.data.data;
  assert.equal(order.policy.name, 'express');
});
