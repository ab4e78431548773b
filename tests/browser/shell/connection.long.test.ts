// The server stops and restarts while the console is open: the data stays on the page, the page says that it
// reconnects, and then it updates.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openOwnBrowser(t);
  return { fixture, page: await fixture.open('/health') };
});

// This test is first, because a restarted sandbox has lost the wallets of users.
test('while the server is stopped the health page says so and keeps the last status', async () => {
  const { fixture, page } = shared();
  await page.getByText('All systems operational').waitFor();
  const startServer = await fixture.stopServer();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('The service does not answer. The last known status is below').waitFor();
  await page.getByText('Not answering', { exact: true }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Database Ok/ }).count(), 1);
  await startServer();
  await page.getByText('All systems operational').waitFor();
  assert.equal(await page.getByText('The service does not answer').count(), 0);
});

test('the events page loses no event when the server restarts', async () => {
  const { fixture, page } = shared();
  await goTo(page, '/events');
  await page.getByText('Streaming', { exact: true }).waitFor();
  const userId = await fixture.app.aUser({ available: '75.00' });
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByRole('button', { name: /balance\.credited.*75\.00/ }).waitFor();
  await page.evaluate('window.sameDocument = true');

  const startServer = await fixture.stopServer();
  await page.getByText('Connection lost, reconnecting').waitFor();
  await page.getByRole('banner').getByText('Reconnecting', { exact: true }).waitFor();
  assert.equal(await list.getByRole('button', { name: /balance\.credited.*75\.00/ }).count(), 1);
  await assertAccessible(page);

  const app = await startServer();
  for (const amount of ['25.00', '30.00']) {
    await app.call(`POST /users/${userId}/balance/credit`, { body: { amount } });
  }
  await page.getByText('Streaming', { exact: true }).waitFor();
  await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
  await list.getByRole('button', { name: /balance\.credited.*25\.00/ }).waitFor();
  await list.getByRole('button', { name: /balance\.credited.*30\.00/ }).waitFor();
  const amounts = await list.locator('.events-amount', { hasText: 'USD' }).allTextContents();
  assert.deepEqual(amounts, ['30.00 USD', '25.00 USD', '75.00 USD']);
  assert.equal(await page.getByText('Connection lost').count(), 0);
  assert.equal(await page.evaluate('window.sameDocument'), true);
});

test('a list and the home page show changes from before the reconnect', async () => {
  const { fixture, page } = shared();
  await goTo(page, '/audit');
  const table = page.getByRole('table', { name: 'Entries' });
  await table.getByRole('link', { name: 'User created' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const restartServer = await fixture.stopServer();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  assert.equal(await table.getByRole('link', { name: 'User created' }).count(), 1);
  const userId = await (await restartServer()).aUser({ available: '70.00' });
  await table.getByRole('link', { name: 'User created' }).nth(1).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

  await goTo(page, '/');
  await page.getByRole('cell', { name: '200.00' }).first().waitFor();
  const startServer = await fixture.stopServer();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  const app = await startServer();
  await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '25.00' } });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('cell', { name: '225.00' }).first().waitFor();
  await page.getByText('balance.credited').first().waitFor();
  assert.equal(await page.getByText('Reconnecting', { exact: true }).count(), 0);

  await page.goto(`${app.url}/console/`);
  await page.getByRole('heading', { name: 'Home' }).waitFor();
});

test('a list that cannot be refreshed says so, and is refreshed on request', async (t) => {
  const fixture = await openBrowser(t);
  const page = await fixture.open('/users');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('No users yet').waitFor();
  const broken = { status: 500, contentType: 'application/json', body: '{}' };
  await page.route('**/api/v1/users*', (route) => route.fulfill(broken));
  await fixture.app.aUser();
  await page.getByText('A part of this page could not be refreshed').waitFor();
  assert.equal(await page.getByText('No users yet').count(), 1);
  await assertAccessible(page);
  await page.unroute('**/api/v1/users*');
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: /^user-/ }).waitFor();
  assert.equal(await page.getByText('could not be refreshed').count(), 0);
});
