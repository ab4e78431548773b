// A session warns before it ends, and a page that is not used signs out. The clock of the page is moved, and not that of the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../../support/app.ts';
import { anOperator, signIn } from '../../support/operator-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser, signIn as signInWithKey } from '../support/browser-fixture.ts';
import { openAs } from '../support/operator-pages.ts';
import { assertAccessible } from '../support/page-checks.ts';

const MINUTE_MS = 60_000;

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const operator = await anOperator(fixture.app, { role: 'viewer', marketplaceId: fixture.app.marketplaceId });
  const page = await fixture.open('/', { key: null, isCold: true });
  await page.clock.install();
  return { ...fixture, operator, page };
});

test('a page that is not used warns, a key press keeps the session, and later it signs out on the server too', async () => {
  const { app, page, operator } = shared();
  const session = await signIn(app, operator);
  await openAs(page, { app, cookie: session.cookie, place: '/account' });
  await page.getByText(/or after 30 minutes without use/).waitFor();
  const warning = page.getByText('You will be signed out in');
  await page.clock.fastForward(28.5 * MINUTE_MS);
  await warning.waitFor();
  await assertAccessible(page);
  await page.keyboard.press('Shift');
  await warning.waitFor({ state: 'detached' });
  await page.clock.fastForward(29 * MINUTE_MS);
  await warning.waitFor();
  await page.clock.fastForward(2 * MINUTE_MS);
  await page.getByText('You were signed out because the console was not used for 30 minutes.').waitFor();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const path = `/operators/${operator.id}/sessions`;
  const { body } = await app.call(`GET ${path}`, {
    key: MASTER_KEY,
    headers: { 'x-marketplace-id': app.marketplaceId },
  });
  const open = body.data.data.map(({ id }: { id: string }) => id);
  assert.equal(open.includes(session.sessionId), false);
});

test('the end of the session is announced before it comes', async () => {
  const { app, page, operator } = shared();
  const session = await signIn(app, operator);
  await openAs(page, { app, cookie: session.cookie, place: '/account' });
  await page.getByText(/This session ends/).waitFor();
  for (let hours = 0; hours < 24; hours++) {
    await page.clock.fastForward(28 * MINUTE_MS);
    await page.keyboard.press('Shift');
    if (await page.getByText('Your session ends at').isVisible()) break;
  }
  await page.getByText('Your session ends at').waitFor();
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByText('Sign in again to continue on this page.').waitFor();
});

test('a page with a key that is not used signs out as well, and the key is gone from the tab', async () => {
  const { app, page } = shared();
  await signInWithKey(page, await app.key(['read']));
  await page.clock.fastForward(28.5 * MINUTE_MS);
  await page.getByText('You will be signed out in').waitFor();
  await page.clock.fastForward(2 * MINUTE_MS);
  await page.getByText('You were signed out because the console was not used for 30 minutes.').waitFor();
  assert.equal(await page.evaluate('sessionStorage.length'), 0);
});
