// More events than the events page keeps. event-tail.test.ts tests the same without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openBrowser } from '../support/browser-fixture.ts';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

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
