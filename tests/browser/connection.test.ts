// The server goes away while the console is open, and comes back: what is shown stays, the page says what it waits for,
// and then it catches up by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOwnStand, openStand } from './browser-stand.ts';
import { assertAccessible, picture } from './page-checks.ts';

test('a server that stops and starts again costs the events page nothing', async (t) => {
  const stand = await openOwnStand(t);
  const page = await stand.open('/events');
  await page.getByText('Following', { exact: true }).waitFor();
  const user = await stand.app.user({ available: '75.00' });
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByRole('button', { name: /balance\.credited.*75\.00/ }).waitFor();
  await page.evaluate('window.sameDocument = true');

  const bringBack = await stand.takeAway();
  await page.getByText('The connection is lost; it is being opened again').waitFor();
  await page.getByRole('banner').getByText('Reconnecting', { exact: true }).waitFor();
  assert.equal(await list.getByRole('button', { name: /balance\.credited.*75\.00/ }).count(), 1);
  await assertAccessible(page);
  await picture(page, 'events-connection-lost');

  const app = await bringBack();
  for (const amount of ['25.00', '30.00']) {
    await app.call(`POST /users/${user}/balance/credit`, { body: { amount } });
  }
  await page.getByText('Following', { exact: true }).waitFor();
  await page.getByRole('banner').getByText('Live', { exact: true }).waitFor();
  await list.getByRole('button', { name: /balance\.credited.*25\.00/ }).waitFor();
  await list.getByRole('button', { name: /balance\.credited.*30\.00/ }).waitFor();
  const amounts = await list.locator('.events-amount', { hasText: 'USD' }).allTextContents();
  assert.deepEqual(amounts, ['30.00 USD', '25.00 USD', '75.00 USD']);
  assert.equal(await page.getByText('The connection is lost').count(), 0);
  assert.equal(await page.evaluate('window.sameDocument'), true);
});

test('a list that was open while the server was away shows what happened meanwhile', async (t) => {
  const stand = await openOwnStand(t);
  const page = await stand.open('/audit');
  const table = page.getByRole('table', { name: 'Entries' });
  await page.getByText('Live', { exact: true }).waitFor();
  await table.getByRole('link', { name: 'API key created' }).waitFor();

  const bringBack = await stand.takeAway();
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  assert.equal(await table.getByRole('link', { name: 'API key created' }).count(), 1);
  const app = await bringBack();
  await app.user();
  await table.getByRole('link', { name: 'User created' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

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
  await page.getByText('A part of this page could not be brought up to date').waitFor();
  assert.equal(await page.getByText('No users yet').count(), 1);
  await assertAccessible(page);
  await page.unroute('**/api/v1/users*');
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('link', { name: /^user-/ }).waitFor();
  assert.equal(await page.getByText('could not be brought up to date').count(), 0);
});

test('while the server is away the health page says so and keeps what it was told', async (t) => {
  const stand = await openOwnStand(t);
  const page = await stand.open('/health');
  await page.getByText('Everything is well').waitFor();
  const bringBack = await stand.takeAway();
  await page.getByRole('button', { name: 'Ask again' }).click();
  await page.getByText('The service does not answer; below is what it said last').waitFor();
  await page.getByText('Does not answer', { exact: true }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Database Ok/ }).count(), 1);
  await picture(page, 'health-away');
  await bringBack();
  await page.getByText('Everything is well').waitFor();
  assert.equal(await page.getByText('The service does not answer').count(), 0);
});
