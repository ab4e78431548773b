// A secret that is shown once asks before it is lost: on Escape, on a change of page and on a reload. A copy counts as saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { shareInFile } from '../../support/share-in-file.ts';
import { openOwnBrowser } from '../support/browser-fixture.ts';
import { assertAccessible } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openOwnBrowser(t);
  const page = await fixture.open('/webhooks');
  return { ...fixture, page };
});

const question = (page: Page) => page.getByText('Close without saving the secret?');

/** Creates an endpoint, whose secret is shown. */
const showSecret = async (page: Page, url: string): Promise<string> => {
  await page.getByRole('button', { name: 'Create endpoint' }).first().click();
  await page.getByLabel('Address').fill(url);
  await page.getByRole('dialog').getByRole('button', { name: 'Create endpoint' }).click();
  return (await page.locator('.secret').textContent())!;
};

test('Escape, a link and the back button ask first; the secret stays until the person decides', async () => {
  const { page } = shared();
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.waitForURL(/orders$/);
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  const secret = await showSecret(page, 'https://shop.example/one');
  assert.match(secret, /^whsec_/);
  await page.keyboard.press('Escape');
  await question(page).waitFor();
  await assertAccessible(page, { within: '[role="dialog"]' });
  await page.getByRole('button', { name: 'Keep open' }).click();
  await question(page).waitFor({ state: 'detached' });
  await page.mouse.click(5, 5);
  assert.equal(await page.locator('.secret').textContent(), secret);

  await page.evaluate('history.back()');
  await question(page).waitFor();
  assert.match(page.url(), /webhooks$/);
  await page.getByRole('button', { name: 'Keep open' }).click();
  await page.evaluate('history.back()');
  await page.getByRole('button', { name: 'Close without saving' }).click();
  await page.waitForURL(/orders$/);
  assert.equal(await page.locator('.secret').count(), 0);
});

test('a reload asks until the secret is copied', async () => {
  const { page, app } = shared();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.url });
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  const secret = await showSecret(page, 'https://shop.example/two');
  const asked: string[] = [];
  const onDialog = async (dialog: { type(): string; dismiss(): Promise<void> }): Promise<void> => {
    asked.push(dialog.type());
    await dialog.dismiss();
  };
  page.on('dialog', onDialog);
  await page.reload({ timeout: 3_000 }).catch(() => null);
  assert.deepEqual(asked, ['beforeunload']);
  assert.equal(await page.locator('.secret').textContent(), secret);
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.secret').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
  assert.deepEqual(asked, ['beforeunload']);
  page.off('dialog', onDialog);
});
