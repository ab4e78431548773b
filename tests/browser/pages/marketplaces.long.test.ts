// The pages of marketplaces: what the master key sees and sets there.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MASTER_KEY } from '../../support/app.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { controlOf } from '../../support/simulators.ts';
import { goTo, keyField, NARROW, openOwnBrowser, setView, WIDE } from '../support/browser-fixture.ts';
import { assertAccessible, assertFits } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openOwnBrowser(t);
  const page = await open('/keys', { key: null });
  await (await keyField(page)).fill(MASTER_KEY);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  return { app, page };
});

test('the master key sees every marketplace, sets a limit and a credit line, and switches to another at once', async () => {
  const { app, page } = shared();
  // The list shows marketplaces that have a record.
  await app.key(['read'], 'mkt_default');
  const fruit = await app.key(['*'], 'mkt_fruit');
  await app.aUser({ key: fruit });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Marketplaces' }).click();
  const places = page.getByRole('table', { name: 'Marketplaces' });
  await places.getByRole('row', { name: /mkt_default.*Current/ }).waitFor();
  const row = places.getByRole('row', { name: /mkt_fruit/ });
  await row.getByText('Shared').waitFor();
  await row.getByText('No limits').waitFor();
  await assertFits(page);
  await assertAccessible(page);

  await row.getByRole('link', { name: 'mkt_fruit' }).click();
  await page.getByText('Users: 1, orders: 0, keys: 1').waitFor();
  await page.getByText('holdfast marketplaces payment-provider set mkt_fruit --from secrets.json').waitFor();
  const limit = page.getByLabel('Withdrawals, all users');
  await limit.fill('5.001');
  await page.getByRole('button', { name: 'Set limits' }).click();
  await page.getByText(/^withdrawalPerDay must/).waitFor();
  assert.equal(await limit.getAttribute('aria-invalid'), 'true');
  await limit.fill('1,500');
  await page.getByRole('button', { name: 'Set limits' }).click();
  await page.getByText('The limits for USD are set').waitFor();
  assert.equal(await limit.inputValue(), '1500.00', 'the field shows what the server has');
  const line = page.getByRole('textbox', { name: 'Credit line' });
  await line.fill('-1');
  await page.getByRole('button', { name: 'Set credit line' }).click();
  await page.getByText(/^The credit line must be a decimal string/).waitFor();
  assert.equal(await line.getAttribute('aria-invalid'), 'true');
  await line.fill('250.00');
  await page.getByRole('button', { name: 'Set credit line' }).click();
  await page.getByText('The credit line is 250.00 USD').waitFor();
  const { data } = (await app.call('GET /marketplaces/mkt_fruit', { key: MASTER_KEY })).body;
  assert.deepEqual([data.limits[0].withdrawalPerDay, data.float.creditLine], ['1500.00', '250.00']);
  await assertAccessible(page);

  await page.getByRole('button', { name: 'Take float back' }).click();
  await page.getByLabel('Amount').fill('9000000.00');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('alertdialog').getByText('INSUFFICIENT_FUNDS').waitFor();
  const back = page.getByRole('button', { name: /^Take float back: 9,000,000.00 USD/ });
  assert.equal(await back.getAttribute('aria-disabled'), 'true');
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await page.getByLabel('Amount').getAttribute('aria-invalid'), 'true');
  await page.getByLabel('Amount').fill('1.00');
  await page.getByRole('button', { name: 'Cancel' }).click();

  const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const account = { name: 'fruit', key: 'fruit-key', secret: 'fruit-secret', webhookSecret, openingBalance: '1.00' };
  await controlOf(`${app.sandboxUrl}/control`)('POST /enterprises', account);
  const own = { apiKey: account.key, apiSecret: account.secret, webhookSecret };
  const set = await app.call('PUT /marketplaces/mkt_fruit/payment-provider', { key: MASTER_KEY, body: own });
  assert.equal(set.status, 200, set.text);

  await setView(page, { size: NARROW, scheme: 'light' });
  await assertFits(page);
  await goTo(page, '/marketplaces');
  await row.getByText(/Own since/).waitFor();
  await assertFits(page);
  await setView(page, { size: WIDE, scheme: 'light' });
  await row.getByText('0.00 of 250.00').waitFor();
  await row.getByText('USD withdrawals 0.00 of 1,500.00').waitFor();
  await row.getByRole('link', { name: 'mkt_fruit' }).click();
  await page.getByRole('button', { name: 'Switch to mkt_fruit' }).click();
  await page.locator('header').getByText('Current').waitFor();
  await goTo(page, '/marketplaces');
  await places.getByRole('row', { name: /mkt_fruit.*Current.*Own since/ }).waitFor();
  assert.match((await page.getByRole('navigation', { name: 'Pages' }).textContent()) ?? '', /mkt_fruit/);
  const spare = await page.evaluate<number>(
    '(() => { const box = document.querySelector(".table-box"); return box.clientWidth - box.scrollWidth; })()',
  );
  assert.equal(spare, 0, 'the table shows every column without scrolling');
  await page.getByLabel('Another marketplace').fill('fruit!');
  await page.getByRole('button', { name: 'Switch', exact: true }).click();
  await page.getByRole('alert').first().waitFor();
  await goTo(page, '/keys');
  await page.getByText('API keys of mkt_fruit').waitFor();
});
