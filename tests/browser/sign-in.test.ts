// The way into the console: which keys open it, where one arrives, and where the key is kept.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { MASTER_KEY } from '../support/app.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { openStand, signIn } from './browser-stand.ts';
import { assertAccessible } from './page-checks.ts';

const shared = shareInFile(async (t) => {
  const stand = await openStand(t);
  return { ...stand, page: await stand.open('/', { key: null }) };
});

/** Loads the console anew, which forgets a key that is not kept for the tab. */
const load = async (place: string): Promise<Page> => {
  const { app, page } = shared();
  await page.goto(`${app.url}/console${place}`);
  return page;
};

test('a key that is not accepted stays at the door with a sentence that says what to check', async () => {
  const { page } = shared();
  await page.getByLabel('API key or token').fill('hk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /not accepted.*complete/);
  assert.equal(await page.getByLabel('API key or token').getAttribute('aria-invalid'), 'true');
  await assertAccessible(page);
});

test('a key opens the console, shows whose it is, and is neither in the address nor in a storage', async () => {
  const { app, page } = shared();
  const key = await app.key(['read'], 'mkt_fruit');
  await signIn(page, key);
  await page.getByText('mkt_fruit').first().waitFor();
  assert.equal(await page.title(), 'Home · Holdfast');
  assert.equal(page.url().includes(key), false);
  assert.equal(await page.evaluate('sessionStorage.length + localStorage.length'), 0);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a key kept for the tab survives a reload, until its holder signs out', async () => {
  const { app, page } = shared();
  await page.getByLabel('Stay signed in').check();
  await signIn(page, await app.key(['read']));
  await page.reload();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
});

test('the master key is asked for a marketplace and then acts in it', async () => {
  const { app, page } = shared();
  await app.key(['read'], 'mkt_other');
  await page.getByLabel('API key or token').fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Choose a marketplace' }).waitFor();
  await page.getByLabel('Marketplace').fill('mkt_other');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  assert.match((await page.getByRole('navigation', { name: 'Pages' }).textContent()) ?? '', /mkt_other/);
});

test('a link leads to its own page after the sign-in', async () => {
  const page = await load('/nowhere/at-all?status=OPEN');
  await signIn(page, await shared().app.key(['read']));
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  assert.match(page.url(), /\/console\/nowhere\/at-all\?status=OPEN$/);
});

test('a key that may not read is let in, and is told once what it lacks instead of being kept waiting', async () => {
  const page = await load('/nowhere');
  // As something before the server may do it.
  await page.route('**/api/v1/events*', (route) => route.fulfill({ status: 403, body: 'Not for you.' }));
  await signIn(page, await shared().app.key(['support']));
  await page.getByText('Not live', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.getByText('it lacks the “read” scope. Sign in with a key that has it.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.waitForURL(/\/orders$/);
  await page.getByText('it lacks the “read” scope').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
  assert.equal(await page.getByText('Reconnecting', { exact: true }).count(), 0);
  await page.unroute('**/api/v1/events*');
});

test('a key that is revoked while it is in use leads back to the door, which says so', async () => {
  const { app, page } = shared();
  // Where the master key acts when it does not say where.
  const key = await app.key(['*'], 'mkt_default');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, key);
  const me = await app.call('GET /auth/me', { key });
  const revoked = await app.call(`DELETE /auth/api-keys/${me.body.data.apiKeyId}`, { key: MASTER_KEY });
  assert.equal(revoked.status, 200, revoked.text);
  await page.getByText('Your key is no longer accepted').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 1);
});
