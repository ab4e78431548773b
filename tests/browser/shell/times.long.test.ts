// Times in the console: local and UTC, relative to the time of the server, and to the clock of the sandbox where simulators recorded them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openOwnBrowser, signIn } from '../support/browser-fixture.ts';
import { goToNext } from '../support/page-examples.ts';

const DAY_S = 86_400;

const setZone = async (page: Page, timezoneId: string): Promise<void> => {
  const wire = await page.context().newCDPSession(page);
  await wire.send('Emulation.setTimezoneOverride', { timezoneId });
};

test('a time is shown in the zone of the browser, with UTC in the tooltip and beside facts', async (t) => {
  const fixture = await openOwnBrowser(t);
  const userId = await fixture.app.aUser({ available: '5.00' });
  const page = await fixture.open('/users', { key: null, isCold: true });
  await setZone(page, 'Asia/Tokyo');
  await page.reload();
  await signIn(page, await fixture.app.key(['*']));
  const created = page.getByRole('row').filter({ hasText: '5.00' }).locator('time');
  const value = (await created.getAttribute('datetime'))!;
  const utc = `${new Date(value).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const tooltip = (await created.getAttribute('title'))!;
  assert.ok(tooltip.endsWith(` · ${utc}`), tooltip);
  assert.match(tooltip, /GMT\+9 · /);
  await goToNext(page, `/users/${userId}`);
  await page.getByText(utc).first().waitFor();
});

test('relative times follow the server when the clock of the computer is wrong', async (t) => {
  const fixture = await openOwnBrowser(t);
  await fixture.app.aUser({ available: '7.00' });
  const page = await fixture.open('/', { key: null, isCold: true });
  await page.clock.install({ time: Date.now() - 8 * DAY_S * 1_000 });
  await page.goto(`${fixture.app.url}/console/users`);
  await signIn(page, await fixture.app.key(['*']));
  const created = page.getByRole('row').filter({ hasText: '7.00' }).locator('time');
  await created.waitFor();
  await page.clock.runFor(6_000);
  assert.match((await created.textContent())!, /ago|just now/);
});

test('after the sandbox clock was moved, what simulators recorded is not in the future', async (t) => {
  const fixture = await openOwnBrowser(t);
  const { app } = fixture;
  const userId = await app.aUser({ available: '5.00' });
  const moved = await app.call('POST /sandbox/clock/advance', { body: { seconds: 8 * DAY_S } });
  assert.ok(moved.status < 300, moved.text);
  const topup = await app.call('POST /topups', { body: { userId, amount: '12.00', currency: 'USD' } });
  assert.equal(topup.status, 201, topup.text);
  const page = await fixture.open('/sandbox');
  const line = page.getByRole('region', { name: 'Pending pay-ins' });
  await line.getByText('12.00').waitFor();
  await line.getByText(/just now|ago/).waitFor();
  assert.equal(await page.getByText(/^in \d+ days$/).count(), 0);
});
