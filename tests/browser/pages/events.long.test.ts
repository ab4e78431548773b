// Replays on the events page, and more events than it keeps, which event-tail.test.ts tests without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { ...fixture, page: await fixture.open('/events') };
});

/** Opens a link in a freshly loaded console, which stays signed in. */
const load = async (link: string): Promise<void> => {
  const { page } = shared();
  await page.goto(link);
  await page.locator('#main h1').waitFor();
};

test('of more events than the page keeps, a replay shows the first, and resuming shows the newest', async (t) => {
  const fixture = await openBrowser(t);
  const userId = await fixture.app.aUser();
  for (let at = 0; at < 1_050; at += 50) await credit(50);
  const page = await fixture.open(`/events?since=${LONG_AGO}&types=balance.credited`);
  await page.getByText('Showing the first 1,000 events since then').waitFor();
  // Outside the list, because searching a thousand lines takes the browser longer than drawing them.
  const counts = page.locator('.events-counts');
  const bar = page.locator('.panel-head').filter({ has: counts });
  const resume = bar.getByRole('button', { name: 'Resume, 50 waiting' });
  await resume.waitFor();
  const lines = page.locator('.events-list > li');
  assert.equal(await lines.count(), 1_000);
  await resume.click();
  await counts.getByText('1,050 received, newest 1,000 shown').waitFor();
  await credit(60);
  await counts.getByText('1,110 received, newest 1,000 shown').waitFor();
  assert.equal(await lines.count(), 1_000);

  async function credit(times: number): Promise<void> {
    const request = `POST /users/${userId}/balance/credit`;
    const answers = Array.from({ length: times }, () => fixture.app.call(request, { body: { amount: '1.00' } }));
    for (const { status, text } of await Promise.all(answers)) assert.equal(status, 200, text);
  }
});

test('a link replays from its time, and a replay can be stopped and restarted', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '900.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '250.00', title: 'Translation' });
  await trade.done(`POST /orders/${order.id}/resolution/release`);
  await load(`${app.url}/console/events?since=${LONG_AGO}&q=${order.id}`);
  const list = page.getByRole('list', { name: 'Events, newest first' });
  await list.getByText('order.released').waitFor();
  await list.getByText('order.closed').waitFor();
  assert.equal(await list.getByText('user.created').count(), 0);
  await page.getByRole('button', { name: 'All types' }).click();
  await page.getByRole('checkbox', { name: 'order.released' }).check();
  await list.getByText('order.closed').waitFor({ state: 'detached' });

  await goTo(page, `/events?since=${LONG_AGO}`);
  await page.getByText('order.released').waitFor();
  await page.getByLabel('Replay', { exact: true }).selectOption('Live only');
  await page.getByText('Waiting for the next event').waitFor();
  await page.getByRole('button', { name: 'Replay last 15 minutes' }).click();
  await page.getByText('order.released').waitFor();
  assert.match(page.url(), /since=20\d\d-/);
});
