// Choosing somebody by typing: what is offered is an answer to what is typed, however late it comes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../committer/bend.ts';
import { openStand } from './browser-stand.ts';

test('a chosen user is typed over, and nobody is offered for words that were typed before', async (t) => {
  const stand = await openStand(t);
  for (const externalUserId of ['anna-sells', 'bert-sells']) {
    const made = await stand.app.call('POST /users', { body: { externalUserId } });
    assert.equal(made.status, 201, made.text);
  }
  const page = await stand.open('/orders');
  await page
    .getByRole('button', { name: /New order/ })
    .first()
    .click();
  const seller = page.getByRole('dialog').getByLabel('Seller');
  await seller.click();
  await page.keyboard.type('anna');
  await page.getByRole('option', { name: /anna-sells/ }).click();
  assert.equal(await seller.inputValue(), 'anna-sells');

  let isHeld = true;
  const letGo: (() => void)[] = [];
  await page.route('**/api/v1/users?*', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => letGo.push(resolve));
    await route.continue();
  });
  await seller.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('bert', { delay: 20 });
  assert.equal(await seller.inputValue(), 'bert');
  await until(async () => letGo.length > 0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('option', { name: /anna-sells/ }).count(), 0);
  assert.equal(await seller.inputValue(), 'bert');
  isHeld = false;
  for (const each of letGo) each();
  await page.getByRole('option', { name: /bert-sells/ }).click();
  assert.equal(await seller.inputValue(), 'bert-sells');
});

test('the search offers nothing that was found for other words, and leads to the heading', async (t) => {
  const stand = await openStand(t);
  for (const externalUserId of ['anna-sells', 'bert-sells']) {
    await stand.app.call('POST /users', { body: { externalUserId } });
  }
  const page = await stand.open('/');
  await page.keyboard.press('/');
  await page.keyboard.type('anna');
  await page.getByRole('option', { name: /anna-sells/ }).waitFor();
  let isHeld = true;
  const letGo: (() => void)[] = [];
  await page.route('**/api/v1/users?*', async (route) => {
    if (isHeld) await new Promise<void>((resolve) => letGo.push(resolve));
    await route.continue();
  });
  await page.getByRole('combobox', { name: 'Search' }).fill('bert');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('option').count(), 0);
  await until(async () => letGo.length > 0);
  assert.equal(await page.locator('#main h1').textContent(), 'Home');
  isHeld = false;
  for (const each of letGo) each();
  await page.getByRole('option', { name: /bert-sells/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'bert-sells' }).waitFor();
  await until(async () => (await page.evaluate('document.activeElement.tagName')) === 'H1');
});
