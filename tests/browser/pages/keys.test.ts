// The page of keys: permissions, and secrets that are shown once. marketplaces.long.test.ts has the pages of marketplaces.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { MASTER_KEY } from '../../support/app.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { changeKey, goTo, keyField, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const page = await open('/keys', { key: null });
  await (await keyField(page)).fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  return { app, page };
});

/** Reads the shown secret, closes the dialog, and checks that the page no longer contains it. */
const takeSecret = async (page: Page): Promise<string> => {
  const secret = (await page.getByRole('dialog').locator('code').last().textContent()) ?? '';
  assert.ok(secret.length > 20, secret);
  await page.getByRole('button', { name: 'I have saved the secret' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal((await page.content()).includes(secret), false);
  return secret;
};

test('the master key creates, rotates and revokes a key, and each secret is shown once', async () => {
  const { app, page } = shared();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Checkout server');
  await page.getByRole('checkbox', { name: /^write/ }).check();
  await page.getByLabel('Rate limit (requests)').fill('0');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText(/rateLimit must/).waitFor();
  await page.getByLabel('Rate limit (requests)').fill('600');
  await page.getByLabel('Expires').selectOption('In 90 days');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await page.getByText('This secret is shown only once.').waitFor();
  await assertAccessible(page);
  // A click outside and Escape must not close a dialog whose content cannot be shown again.
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const made = await takeSecret(page);
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), made);
  assert.deepEqual((await app.call('GET /auth/me', { key: made })).body.data.scopes, ['read', 'write']);
  const row = page.getByRole('row', { name: /Checkout server/ });
  await row.getByText('Active').waitFor();

  await row.getByRole('button', { name: 'Create token for Checkout server' }).click();
  await page.getByRole('checkbox', { name: /^write/ }).uncheck();
  await page.getByRole('button', { name: 'Create token' }).click();
  await page.getByText('This secret is shown only once.').waitFor();
  const token = await takeSecret(page);
  assert.deepEqual((await app.call('GET /auth/me', { key: token })).body.data.scopes, ['read']);

  await row.getByRole('button', { name: 'Rotate Checkout server' }).click();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  await page.getByText(/The previous secret works until/).waitFor();
  const rotated = await takeSecret(page);
  assert.notEqual(rotated, made);
  for (const key of [made, rotated]) assert.equal((await app.call('GET /auth/me', { key })).status, 200);

  await row.getByRole('button', { name: 'Revoke Checkout server' }).click();
  await page.getByText('This cannot be undone').waitFor();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Checkout server revoked').waitFor();
  await row.getByText('Revoked', { exact: true }).waitFor();
  assert.equal((await app.call('GET /auth/me', { key: rotated })).status, 401);
  const reason = await row.getByRole('button', { name: 'Rotate Checkout server' }).getAttribute('title');
  assert.match(reason ?? '', /The key is revoked/);
  await page.getByLabel('Status').selectOption('REVOKED');
  await row.waitFor();
  assert.match(page.url(), /status=REVOKED/);
});

test('a key without the permissions sees the list, and every disabled action gives its reason', async () => {
  const { app, page } = shared();
  await app.key(['support', 'write']);
  await goTo(page, '/keys');
  await changeKey(page, await app.key(['read']));
  await page.getByText('you', { exact: true }).waitFor();
  const create = page.getByRole('button', { name: 'Create key' });
  assert.equal(await create.getAttribute('aria-disabled'), 'true');
  assert.match((await create.getAttribute('title')) ?? '', /Only the master key/);
  const strangers = page.getByRole('button', { name: /^Revoke key/, disabled: true });
  assert.match((await strangers.first().getAttribute('title')) ?? '', /the key itself/);
  assert.equal(await page.getByRole('button', { name: /^Revoke key/, disabled: false }).count(), 1);
  assert.equal(await page.getByRole('link', { name: 'Marketplaces' }).count(), 0);
  await goTo(page, '/marketplaces');
  await page.getByText('Your key has access to this marketplace only').waitFor();
});
