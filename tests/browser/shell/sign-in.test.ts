// The sign-in: which keys are accepted, and where the key is stored. sign-in.long.test.ts has links, revoked keys and the master key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../../support/share-in-file.ts';
import { keyField, openOwnBrowser, signIn } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  // Without operators, whom other files of the process may invite to a shared server: with them keys are behind a button.
  const fixture = await openOwnBrowser(t);
  return { ...fixture, page: await fixture.open('/', { key: null }) };
});

test('a key that is not accepted stays on the sign-in page with a message about what to check', async () => {
  const { page } = shared();
  await (await keyField(page)).fill('hk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  assert.match((await page.getByRole('alert').textContent()) ?? '', /not accepted.*complete/);
  assert.equal(await (await keyField(page)).getAttribute('aria-invalid'), 'true');
  await assertAccessible(page);
});

test('a key can be kept in memory only: it is neither in the URL nor in storage, and a reload signs out', async () => {
  const { app, page } = shared();
  const key = await app.key(['read'], 'mkt_fruit');
  await page.getByLabel('Stay signed in').uncheck();
  await signIn(page, key);
  await page.getByText('mkt_fruit').first().waitFor();
  assert.equal(await page.title(), 'Home · Holdfast');
  assert.equal(page.url().includes(key), false);
  assert.equal(await page.evaluate('sessionStorage.length + localStorage.length'), 0);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a key survives a reload of its tab, is not in another tab, and leaves nothing after the user signs out', async () => {
  const { app, page } = shared();
  const key = await app.key(['read']);
  await signIn(page, key);
  await page.reload();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  assert.equal(page.url().includes(key), false);
  assert.equal(await page.evaluate('localStorage.length'), 0);
  assert.equal(await page.evaluate('document.cookie'), '');
  const other = await page.context().newPage();
  await other.goto(`${app.url}/console/`);
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.close();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
  await page.reload();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
