// The sign-in: keys that are revoked or unused, the master key, links, and keys without the read scope. sign-in.test.ts has the rest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { MASTER_KEY } from '../../support/app.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { keyField, openOwnBrowser, signIn } from '../support/browser-fixture.ts';

const shared = shareInFile(async (t) => {
  // Without operators, whom other files of the process may invite to a shared server: with them keys are behind a button.
  const fixture = await openOwnBrowser(t);
  return { ...fixture, page: await fixture.open('/', { key: null }) };
});

/** Loads a page of the console anew, in the same tab. */
const load = async (place: string): Promise<Page> => {
  const { app, page } = shared();
  await page.goto(`${app.url}/console${place}`);
  return page;
};

const loadSignedOut = async (place: string): Promise<Page> => {
  await shared().page.evaluate('sessionStorage.clear()');
  return load(place);
};

/** Requests that wait until the test lets them go. */
const held = async (page: Page, url: string, method = 'GET') => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.continue();
    asked.resolve();
    await gate.promise;
    return route.continue();
  });
  return { asked: asked.promise, go: gate.resolve };
};

test('a stored key that was revoked, or not used for the idle time, is removed with the reason', async () => {
  const { app, page } = shared();
  const key = await app.key(['read'], 'mkt_default');
  await signIn(page, key);
  const me = await app.call('GET /auth/me', { key });
  await page.goto(`${app.url}/console/parked.txt`);
  assert.equal((await app.call(`DELETE /auth/api-keys/${me.body.data.apiKeyId}`, { key: MASTER_KEY })).status, 200);
  await load('/');
  await page.getByText('The key stored in this tab is no longer accepted').waitFor();
  assert.equal(await page.evaluate('sessionStorage.length'), 0);

  await signIn(page, await app.key(['read']));
  // As a browser does that restores its tabs on the next day.
  await page.evaluate(
    `sessionStorage.setItem('holdfast.use', JSON.stringify({ idleMinutes: 30, usedMs: Date.now() - 31 * 60_000 }))`,
  );
  await load('/');
  await page.getByText('You were signed out because the console was not used for 30 minutes.').waitFor();
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
});

test('the master key chooses a marketplace', async () => {
  const { app, page } = shared();
  await app.key(['read'], 'mkt_other');
  await (await keyField(page)).fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Choose a marketplace' }).waitFor();
  await page.getByLabel('Marketplace').fill('mkt_other');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  assert.match((await page.getByRole('navigation', { name: 'Pages' }).textContent()) ?? '', /mkt_other/);
});

test('a link opens its page after the sign-in', async () => {
  const page = await loadSignedOut('/nowhere/at-all?status=OPEN');
  await signIn(page, await shared().app.key(['read']));
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  assert.match(page.url(), /\/console\/nowhere\/at-all\?status=OPEN$/);
});

test('a key without the read scope signs in and sees one message instead of loading forever', async () => {
  const page = await loadSignedOut('/nowhere');
  // As a proxy before the server may do it.
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

test('a key that is revoked while in use leads back to the sign-in page with the reason', async () => {
  const { app, page } = shared();
  // The default marketplace of the master key.
  const key = await app.key(['*'], 'mkt_default');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, key);
  const me = await app.call('GET /auth/me', { key });
  const revoked = await app.call(`DELETE /auth/api-keys/${me.body.data.apiKeyId}`, { key: MASTER_KEY });
  assert.equal(revoked.status, 200, revoked.text);
  await page.getByText('Your key is no longer accepted').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 1);
});

test('a request of the ended session that is refused late leaves the sign-in page as it is', async () => {
  const { app, page } = shared();
  const key = await app.key(['*'], 'mkt_default');
  await signIn(page, key);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const create = await held(page, '**/api/v1/users', 'POST');
  const form = await held(page, '**/console/sign-in');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('External ID').fill('anna-buys');
  await page.getByRole('button', { name: 'Create user' }).click();
  await create.asked;
  const me = await app.call('GET /auth/me', { key });
  await app.call(`DELETE /auth/api-keys/${me.body.data.apiKeyId}`, { key: MASTER_KEY });
  await form.asked;
  const refused = page.waitForResponse('**/api/v1/users');
  create.go();
  assert.equal((await refused).status(), 401);
  form.go();
  await keyField(page);
  await page.getByText('Your key is no longer accepted').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 1);
});

test('a change of the ended session that is refused late leaves the next session signed in', async () => {
  const { app, page } = shared();
  const key = await app.key(['*'], 'mkt_default');
  const next = await app.key(['*'], 'mkt_default');
  await signIn(page, key);
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  const create = await held(page, '**/api/v1/users', 'POST');
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('External ID').fill('bert-sells');
  await page.getByRole('button', { name: 'Create user' }).click();
  await create.asked;
  const me = await app.call('GET /auth/me', { key });
  await app.call(`DELETE /auth/api-keys/${me.body.data.apiKeyId}`, { key: MASTER_KEY });
  await page.getByText('Your key is no longer accepted').waitFor();
  await signIn(page, next);
  const refused = page.waitForResponse((response) => response.request().method() === 'POST');
  create.go();
  assert.equal((await refused).status(), 401);
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByText('No orders yet').waitFor();
  assert.equal(await page.getByText('The user was not created').count(), 0);
});

test('a switch to another marketplace that is answered after the sign-out does not sign in again', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await (await keyField(page)).fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('link', { name: 'Marketplaces', exact: true }).click();
  const me = await held(page, '**/api/v1/auth/me');
  await page.getByLabel('Another marketplace').fill('mkt_other');
  await page.getByRole('button', { name: 'Switch', exact: true }).click();
  await me.asked;
  await page.getByRole('button', { name: 'Sign out' }).first().click();
  await keyField(page);
  const answered = page.waitForResponse('**/api/v1/auth/me');
  me.go();
  assert.equal((await answered).status(), 200);
  // A sign-in with a wrong key needs another answer of the server: the first one has been processed by then.
  await (await keyField(page)).fill('sk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('The key was not accepted.').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 1);
});
