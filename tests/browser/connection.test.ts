// The server goes away while the console is open, and comes back: what is shown stays, the page says what it waits for,
// and then it catches up by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { goTo, openOwnStand, openStand } from './browser-stand.ts';
import { assertAccessible } from './page-checks.ts';

const shared = shareInFile(async (t) => {
  const stand = await openOwnStand(t);
  return { stand, page: await stand.open('/health') };
});

// First: a sandbox that starts again has forgotten the wallets of users.
test('while the server is away the health page says so and keeps what it was told', async () => {
  const { stand, page } = shared();
  await page.getByText('All systems operational').waitFor();
  const bringBack = await stand.takeAway();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('The service does not answer. The last known status is below').waitFor();
  await page.getByText('Not answering', { exact: true }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Database Ok/ }).count(), 1);
  await bringBack();
  await page.getByText('All systems operational').waitFor();
  assert.equal(await page.getByText('The service does not answer').count(), 0);
});

test('a server that stops and starts again costs the events page nothing', async () => {
  const { stand, page } = shared();
  await goTo(page, '/events');
  await page.getByText('Streaming', { exact: true }).waitFor();
  const userId = await stand.app.user({ available: '75.00' });
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByRole('button', { name: /balance\.credited.*75\.00/ }).waitFor();
  await page.evaluate('window.sameDocument = true');

  const bringBack = await stand.takeAway();
  await page.getByText('Connection lost, reconnecting').waitFor();
  await page.getByRole('banner').getByText('Reconnecting', { exact: true }).waitFor();
  assert.equal(await list.getByRole('button', { name: /balance\.credited.*75\.00/ }).count(), 1);
  await assertAccessible(page);

  const app = await bringBack();
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

test('a list and the first page show what happened while the server was away', async () => {
  const { stand, page } = shared();
  await goTo(page, '/audit');
  const table = page.getByRole('table', { name: 'Entries' });
  await table.getByRole('link', { name: 'User created' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const bringListBack = await stand.takeAway();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  assert.equal(await table.getByRole('link', { name: 'User created' }).count(), 1);
  const userId = await (await bringListBack()).user({ available: '70.00' });
  await table.getByRole('link', { name: 'User created' }).nth(1).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

  await goTo(page, '/');
  await page.getByRole('cell', { name: '200.00' }).first().waitFor();
  const bringBack = await stand.takeAway();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  const app = await bringBack();
  await app.call(`POST /users/${userId}/balance/credit`, { body: { amount: '25.00' } });
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('cell', { name: '225.00' }).first().waitFor();
  await page.getByText('balance.credited').first().waitFor();
  assert.equal(await page.getByText('Reconnecting', { exact: true }).count(), 0);

  await page.goto(`${app.url}/console/`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a list that cannot be brought up to date says so, and is when it can be again', async (t) => {
  const stand = await openStand(t);
  const page = await stand.open('/users');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('No users yet').waitFor();
  const broken = { status: 500, contentType: 'application/json', body: '{}' };
  await page.route('**/api/v1/users*', (route) => route.fulfill(broken));
  await stand.app.user();
  await page.getByText('A part of this page could not be refreshed').waitFor();
  assert.equal(await page.getByText('No users yet').count(), 1);
  await assertAccessible(page);
  await page.unroute('**/api/v1/users*');
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: /^user-/ }).waitFor();
  assert.equal(await page.getByText('could not be refreshed').count(), 0);
});
