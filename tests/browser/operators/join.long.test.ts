// From an invitation to the first page: with a password and an app, by the picture of its secret, and the link of the first administrator.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeAt, invite, PASSWORD, stepNow } from '../../support/operator-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const { app } = fixture;
  const invited = await invite(app, { role: 'finance', name: 'Joan Clarke', marketplaceId: app.marketplaceId });
  return { ...fixture, invited, page: await fixture.open('/', { key: null }) };
});

/** Types the code for the secret that the page shows. */
const typeCode = async (page: Page): Promise<void> => {
  const secret = ((await page.locator('.join-code').textContent()) ?? '').replaceAll(' ', '');
  assert.match(secret, /^[A-Z2-7]{32}$/);
  await page.getByLabel('Code of the app').fill(codeAt(secret, stepNow()));
};

test('the page of an invitation shows the facts and the rules, and names what is missing', async () => {
  const { page, invited } = shared();
  await page.goto(invited.inviteUrl);
  await page.getByRole('heading', { name: 'Join Holdfast' }).waitFor();
  await page.getByText('Joan Clarke').waitFor();
  await page.getByText(/12 characters or more/).waitFor();
  await page.getByRole('img', { name: 'QR code with the secret of the app' }).waitFor();
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText('Enter at least 12 characters: 5 so far.').waitFor();
  await page.getByText('Enter the six digits that the app shows now.').waitFor();
  await assertGoodInBothViews(page);
});

test('a password that is guessed first is refused by the server beside its field', async () => {
  const { page } = shared();
  await page.getByLabel('New password').fill('password1234');
  await typeCode(page);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByText(/password is among those that are guessed first/).waitFor();
});

test('password and app join, the recovery codes are shown once, and the console opens', async () => {
  const { page, invited } = shared();
  await page.getByLabel('New password').fill(PASSWORD);
  await typeCode(page);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  assert.equal(await page.getByRole('listitem').count(), 10);
  await assertGoodInBothViews(page);
  const asked = page.waitForEvent('dialog');
  const leaving = page.goto(invited.inviteUrl.replace(/#.*/, '')).catch(() => null);
  const dialog = await asked;
  assert.equal(dialog.type(), 'beforeunload');
  await dialog.dismiss();
  await leaving;
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByText('Joan Clarke').waitFor();
});

test('a used link and a link without a token say that the invitation does not work', async () => {
  const { page, invited } = shared();
  await page.goto(invited.inviteUrl);
  await page.getByText('This invitation does not work').waitFor();
  await page.goto(invited.inviteUrl.replace(/#.*/, ''));
  await page.getByText('This invitation does not work').waitFor();
  await assertGoodInBothViews(page);
});

test('the link of the first administrator asks for name and address, and the marketplace comes next', async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const page = await open('/', { key: null });
  await page.getByText('No operator has joined yet').waitFor();
  await page.goto((await app.firstAdminUrl())!);
  await page.getByText('the first administrator of all marketplaces').waitFor();
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Your e-mail').fill('ada@shop.example');
  await page.getByLabel('New password').fill(PASSWORD);
  await typeCode(page);
  await page.getByRole('button', { name: 'Join' }).click();
  await page.getByRole('button', { name: 'I have saved the codes' }).click();
  await page.getByRole('heading', { name: 'Choose a marketplace' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
});
