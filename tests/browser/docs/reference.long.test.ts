// The page of the API reference in a browser, as a new reader uses it: the samples of an operation, and "try it" of a list, which shows rows
// because it sends no filter that the reader did not choose.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { afterwards } from '../../../tools/test-database/afterwards.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { setView, WIDE } from '../support/browser-fixture.ts';
import { newWindow } from '../support/shared-browser.ts';

const LIST = 'holdfast-api/tag/users/GET/api/v1/users';

const openOperation = async (t: TestContext, app: TestApp) => {
  const page = await newWindow();
  afterwards(t, () => page.context().close());
  await setView(page, { size: WIDE, scheme: 'light' });
  await page.goto(`${app.url}/docs/reference/#${LIST}`);
  const operation = page.locator(`section[id="${LIST}"], div[id="${LIST}"]`).last();
  await operation.getByRole('button', { name: /Test Request/ }).waitFor();
  return { page, operation };
};

const sentBy = async (page: Page, key: string) => {
  const dialog = page.getByRole('dialog');
  await dialog.getByPlaceholder('Token').first().fill(key);
  const asked = page.waitForRequest((request) => request.url().includes('/api/v1/users'));
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
  return asked;
};

test('"try it" of a list sends no filter and shows rows; the samples are curl, SDK and HTTP', async (t) => {
  const app = await startApp(t);
  const ids = [await app.aUser(), await app.aUser()];
  const { page, operation } = await openOperation(t, app);
  await operation.getByText('curl "$HOLDFAST_URL/api/v1/users?limit=2"').waitFor();
  await operation.getByRole('button', { name: /^curl/ }).click();
  const offered = (await page.getByRole('option').allInnerTexts()).map((text) => text.trim());
  // The bar above the page has the choice of the theme.
  assert.deepEqual(offered.slice(-4), ['Dark', 'curl', 'SDK', 'HTTP']);
  await page.keyboard.press('Escape');

  await operation.getByRole('button', { name: /Test Request/ }).click();
  const request = await sentBy(page, await app.key(['read']));
  assert.equal(new URL(request.url()).search, '');
  const headers = request.headers();
  for (const name of ['dry-run', 'idempotency-key', 'x-marketplace-id', 'x-request-id']) {
    assert.equal(headers[name], undefined, name);
  }
  for (const id of ids) await page.getByRole('dialog').getByText(id).first().waitFor();
});
