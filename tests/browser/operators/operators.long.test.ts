// An administrator invites, changes and removes operators, and ends their sessions. Others see why they cannot.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accept, anOperator, signIn } from '../../support/operator-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';
import { openAs } from '../support/operator-pages.ts';
import { assertAccessible, assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const { app } = fixture;
  const { marketplaceId } = app;
  const admin = await anOperator(app, { role: 'admin', name: 'Ada Lovelace', marketplaceId });
  const page = await fixture.open('/', { key: null });
  await openAs(page, { app, cookie: admin.cookie, place: '/operators' });
  return { ...fixture, admin, page };
});

const EMAIL = 'grace@operators-page.example';

test('an administrator invites a person, and the link is shown once, with a question before it closes', async () => {
  const { app, page } = shared();
  await assertGoodInBothViews(page);
  await page.getByRole('button', { name: 'Invite operator' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Grace Hopper');
  await dialog.getByLabel('E-mail').fill(EMAIL);
  await dialog.getByLabel('Role').selectOption('finance');
  await dialog.getByText('Also credits, debits and pays out').waitFor();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByRole('heading', { name: 'Invitation for Grace Hopper' }).waitFor();
  const link = (await page.locator('.secret').textContent()) ?? '';
  assert.match(link, /\/console\/join#hfi_/);
  await page.keyboard.press('Escape');
  await page.getByText('Close without saving the secret?').waitFor();
  await page.getByRole('button', { name: 'Keep open' }).click();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'I have saved the secret' }).click();
  await page.getByRole('row', { name: /Grace Hopper.*Finance.*Invited/ }).waitFor();
  const { body } = await app.call('GET /operators?status=INVITED');
  const { id } = body.data.data[0];
  await accept(app, { id, email: EMAIL, inviteUrl: link });
});

test('an address that is taken is refused in the form', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'Invite operator' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Another Grace');
  await dialog.getByLabel('E-mail').fill(EMAIL.toUpperCase());
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.getByText('OPERATOR_EXISTS').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('the page of an operator changes the role after a confirmation', async () => {
  const { app, page } = shared();
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.getByRole('heading', { level: 1, name: /Grace Hopper/ }).waitFor();
  await assertGoodInBothViews(page);
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByRole('dialog').getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alertdialog').getByText('Finance becomes Viewer.').waitFor();
  await page.getByRole('button', { name: 'Change operator' }).click();
  await page.getByText('Viewer: Sees everything of the marketplace.').waitFor();
  const { body } = await app.call('GET /operators?role=viewer');
  assert.equal(body.data.data[0].email, EMAIL);
});

test('ending a session signs the other browser out', async () => {
  const { app, page, open } = shared();
  const other = await anOperator(app, { role: 'support', name: 'Hedy Lamarr', marketplaceId: app.marketplaceId });
  const theirs = await open('/', { key: null });
  await openAs(theirs, { app, cookie: other.cookie, place: '/orders' });
  await theirs.getByText('Live', { exact: true }).waitFor();
  await goTo(page, `/operators/${other.id}`);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByRole('button', { name: /^End the session on / }).click();
  await page.getByText('That browser is signed out.').waitFor();
  await theirs.getByText('Your session has ended. Sign in again').waitFor();
  await sessions.getByText('No open sessions').waitFor();
});

test('an operator sees the own sessions in the account, and ends another one of them', async () => {
  const { app, page, admin } = shared();
  const { sessionId } = await signIn(app, admin);
  await goTo(page, '/account');
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('This browser').waitFor();
  await sessions.getByRole('button', { name: /^End the session on / }).click();
  await sessions.getByRole('button', { name: /^End the session on / }).waitFor({ state: 'detached' });
  const { body } = await app.call(`GET /operators/${admin.id}/sessions`, {
    key: null,
    headers: { cookie: admin.cookie },
  });
  assert.equal(
    body.data.data.some(({ id }: { id: string }) => id === sessionId),
    false,
  );
});

test('a new invitation, disabling and deleting ask first, and do what they say', async () => {
  const { app, page } = shared();
  const { body } = await app.call('GET /operators?role=viewer');
  const { id } = body.data.data[0];
  const statusOf = async (): Promise<string> => (await app.call(`GET /operators/${id}`)).body.data?.status;
  await goTo(page, `/operators/${id}`);
  await page.getByRole('button', { name: 'New invitation' }).click();
  await page.getByRole('alertdialog').getByText('all sessions end at once').waitFor();
  await page.getByRole('button', { name: 'Make invitation' }).click();
  await page.getByRole('button', { name: 'I have saved the secret' }).click();
  await page.getByRole('heading', { level: 1, name: /Invited/ }).waitFor();
  assert.equal(await statusOf(), 'INVITED');
  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByRole('button', { name: 'Disable operator' }).click();
  await page.getByRole('heading', { level: 1, name: /Disabled/ }).waitFor();
  assert.equal(await statusOf(), 'DISABLED');
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete operator' }).click();
  await page.getByRole('heading', { level: 1, name: 'Operators' }).waitFor();
  assert.equal((await app.call(`GET /operators/${id}`)).status, 404);
});

test('an administrator cannot change itself, and a key with all permissions makes no operators', async () => {
  const { page, admin, open } = shared();
  await goTo(page, `/operators/${admin.id}`);
  const own = page.getByRole('button', { name: 'Change role' });
  await own.waitFor();
  assert.match((await own.getAttribute('title')) ?? '', /You cannot change yourself/);
  const withKey = await open('/operators');
  const invite = withKey.getByRole('button', { name: 'Invite operator' });
  assert.match((await invite.getAttribute('title')) ?? '', /Only an administrator or the master key/);
});
