// An action of the console while the browser has no connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openBrowser } from '../support/browser-fixture.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  return { fixture, page: await fixture.open('/') };
});

test('an action without a connection fails at once and is never sent later', async () => {
  const { fixture, page } = shared();
  const user = await fixture.app.aUser({ available: '10.00' });
  await goTo(page, `/users/${user}`);
  await page.getByRole('row', { name: /USD 10\.00 0\.00 10\.00/ }).waitFor();
  await page.getByRole('button', { name: 'Credit' }).click();
  await page.getByLabel('Amount').fill('5.00');
  await page.getByLabel('Reason').fill('A gift');
  await page.getByRole('button', { name: 'Continue' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('row', { name: /Available 10\.00 \+5\.00 15\.00 ?USD/ }).waitFor();
  await page.context().setOffline(true);
  await sure.getByRole('button', { name: 'Credit 5.00 USD' }).click();
  await sure.getByText('CONNECTION_FAILED').waitFor();
  await sure.getByText('Outcome unknown').waitFor();
  await page.context().setOffline(false);
  await page.getByText('Live', { exact: true }).waitFor();
  const { data } = (await fixture.app.call(`GET /users/${user}/balance`)).body;
  assert.equal(data.available, '10.00');
});
