// The sign-in of operators in a real browser: password and code, reload, sign-out, a session that ends, and the choice of a marketplace.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../../support/app.ts';
import { anOperator, signIn } from '../../support/operator-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser } from '../support/browser-fixture.ts';
import { nextCodeOf, openAs, showOperatorForm, signInAs, typeSignIn } from '../support/operator-pages.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const { app } = fixture;
  const operator = await anOperator(app, { role: 'support', name: 'Ada Lovelace', marketplaceId: app.marketplaceId });
  return { ...fixture, operator, page: await fixture.open('/orders?status=CLOSED', { key: null }) };
});

test('a wrong password stays on the page with one message for all reasons', async () => {
  const { page, operator } = shared();
  await typeSignIn(page, { ...nextCodeOf(operator), password: 'six loud otters sleep' });
  await page.getByRole('alert').getByText('Check the e-mail address, the password and the code').waitFor();
  await assertGoodInBothViews(page);
});

test('password and code sign in, by keyboard, and the page of the link opens', async () => {
  const { page, operator } = shared();
  const { email, password, code } = nextCodeOf(operator);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('E-mail').press('Tab');
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Password').press('Tab');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  assert.match(page.url(), /\/console\/orders\?status=CLOSED$/);
  const foot = (await page.getByRole('navigation', { name: 'Pages' }).textContent()) ?? '';
  assert.match(foot, /Ada Lovelace.*support: read, write, support/);
});

test('no script can read the session, nothing is stored, and it survives a reload', async () => {
  const { page } = shared();
  assert.equal(await page.evaluate('document.cookie'), '');
  assert.equal(await page.evaluate('sessionStorage.length + localStorage.length'), 0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
});

test('a change with the cookie works, and the event stream of the session shows it', async () => {
  const { app, page } = shared();
  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('button', { name: 'New user' }).click();
  await page.getByLabel('External ID').fill('made-by-ada');
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click();
  await page.getByRole('heading', { level: 1, name: 'made-by-ada' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Users' }).click();
  const made = await app.call('POST /users', { body: { externalUserId: 'seen-live' } });
  assert.equal(made.status, 201, made.text);
  await page.getByRole('link', { name: 'seen-live' }).first().waitFor();
});

test('what the role does not permit is disabled with the reason', async () => {
  const { page } = shared();
  await page.getByRole('link', { name: 'made-by-ada' }).first().click();
  const credit = page.getByRole('button', { name: 'Credit' });
  await credit.waitFor();
  assert.equal(await credit.getAttribute('aria-disabled'), 'true');
  assert.match((await credit.getAttribute('title')) ?? '', /Your role .*“treasury”.*Ask an administrator/);
});

test('the sign-out ends the session on the server', async () => {
  const { app, page, operator } = shared();
  const before = await app.call(`GET /operators/${operator.id}/sessions`, { key: MASTER_KEY, headers: head(app) });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.reload();
  await showOperatorForm(page);
  const after = await app.call(`GET /operators/${operator.id}/sessions`, { key: MASTER_KEY, headers: head(app) });
  assert.equal(after.body.data.data.length, before.body.data.data.length - 1);
});

const head = ({ marketplaceId }: { marketplaceId: string }) => ({ 'x-marketplace-id': marketplaceId });

test('a session that another one ends leads to the sign-in, and from there back to the same page', async () => {
  const { app, page, operator } = shared();
  const session = await signIn(app, operator);
  await openAs(page, { app, cookie: session.cookie, place: '/disputes' });
  await page.getByText('Live', { exact: true }).waitFor();
  const path = `/operators/${operator.id}/sessions/${session.sessionId}`;
  const ended = await app.call(`DELETE ${path}`, { key: MASTER_KEY, headers: head(app) });
  assert.equal(ended.status, 200, ended.text);
  await page.getByText('Your session has ended. Sign in again').waitFor();
  await signInAs(page, operator);
  await page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor();
  assert.match(page.url(), /\/console\/disputes$/);
});

test('an operator of all marketplaces chooses one, keeps it over a reload, and changes it', async () => {
  const { app, page } = shared();
  const everywhere = await anOperator(app, { role: 'viewer', name: 'Grace Hopper', everywhere: true });
  await page.context().clearCookies();
  await page.goto(`${app.url}/console/`);
  await signInAs(page, everywhere);
  await page.getByRole('heading', { name: 'Choose a marketplace' }).waitFor();
  await page.getByLabel('Marketplace').fill(app.marketplaceId);
  await page.getByRole('button', { name: 'Continue' }).click();
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  await navigation.getByText(app.marketplaceId).waitFor();
  await page.reload();
  await navigation.getByText(app.marketplaceId).waitFor();
  await navigation.getByRole('button', { name: 'Change marketplace' }).click();
  await page.getByLabel('Marketplace').fill('mkt_default');
  await page.getByRole('button', { name: 'Continue' }).click();
  await navigation.getByText('mkt_default').waitFor();
});
