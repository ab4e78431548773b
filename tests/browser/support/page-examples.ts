// Every page of the console, with an example of each record that has a page.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { tradeIn } from '../../contract/order-fixture.ts';
import { MASTER_KEY, type TestApp } from '../../support/app.ts';
import { goTo } from './browser-fixture.ts';
import { assertFits } from './page-checks.ts';

const TABLE = path.resolve(import.meta.dirname, '../../../console/src/page-list.ts');

/** Read as text: the list names the type of an icon, whose file only the bundler understands. */
const pagePaths = async (): Promise<string[]> => {
  const paths = [...(await readFile(TABLE, 'utf8')).matchAll(/\{ path: '([^']*)'/g)].map(([, found]) => found!);
  assert.ok(paths.length > 15 && paths.includes('orders/:id'), paths.join());
  return paths;
};

/** The id of a credit that waits for approval. No rule is left behind. */
const waitingRequest = async (app: TestApp, userId: string): Promise<string> => {
  const rule = { action: 'balance.credit', amountFrom: '5000.00' };
  assert.equal((await app.call('PUT /approval-rules', { body: [rule] })).status, 200);
  const { status, text, body } = await app.call(`POST /users/${userId}/balance/credit`, {
    body: { amount: '7000.00' },
  });
  assert.equal(status, 202, text);
  assert.equal((await app.call('PUT /approval-rules', { body: [] })).status, 200);
  return body.data.approval.id;
};

/** The id of an example record by the path of its page. */
const examples = async (app: TestApp): Promise<Readonly<Record<string, string>>> => {
  const trade = await tradeIn(app, { available: '500.00' });
  const dispute = await trade.aDispute();
  const common = { userId: trade.buyerId, amount: '12.00', currency: 'USD' };
  const made = async (path: string, body: object): Promise<string> => {
    const { status, text, body: answer } = await app.call(path, { body: { ...common, ...body } });
    assert.equal(status, 201, text);
    return answer.data.id;
  };
  const endpoint = { url: 'https://shop.example/hooks', events: ['order.*'], enabled: false };
  const created = await app.call('POST /webhook-endpoints', { body: endpoint });
  assert.equal(created.status, 201, created.text);
  const operator = await app.call('POST /operators', {
    key: MASTER_KEY,
    headers: { 'x-marketplace-id': app.marketplaceId },
    body: { email: `grace@${app.marketplaceId.replace('_', '-')}.example`, name: 'Grace Hopper', role: 'support' },
  });
  assert.equal(operator.status, 201, operator.text);
  const policy = { name: 'standard', rules: { autoReleaseAfter: 'P7D', platformFee: { percent: '5', fixed: '0.30' } } };
  const published = await app.call('POST /policies', { body: policy });
  assert.equal(published.status, 201, published.text);
  const statement = {
    system: 'payment-provider',
    fileName: 'january.csv',
    content: Buffer.from('date,reference,amount,currency\n2026-01-02,payin-1,3.00,USD\n').toString('base64'),
    from: '2026-01-01',
    to: '2026-02-01',
  };
  const uploaded = await app.call('POST /provider-statements', { body: statement });
  assert.ok(uploaded.status < 300, uploaded.text);
  return {
    'provider-statements/:id': uploaded.body.data.id,
    'operators/:id': operator.body.data.id,
    'approvals/:id': await waitingRequest(app, trade.buyerId),
    'policies/:id': published.body.data.id,
    'orders/:id': dispute.orderId,
    'disputes/:id': dispute.id,
    'users/:id': trade.buyerId,
    'webhooks/:id': created.body.data.id,
    'marketplaces/:id': app.marketplaceId,
    'topups/:id': await made('POST /topups', {}),
    'withdrawals/:id': await made('POST /withdrawals', { destination: { type: 'bank', email: 'anna@shop.example' } }),
  };
};

/** The path of every page, with the id of its example. */
export const placesOfAllPages = async (app: TestApp): Promise<string[]> => {
  const ids = await examples(app);
  return (await pagePaths()).map((row) => {
    if (row.includes(':')) assert.ok(ids[row], `an example for ${row}`);
    return `/${row.replace(':id', '')}${ids[row] ?? ''}`;
  });
};

/** Opens another page and waits until the heading of the previous page is gone. */
export const goToNext = async (page: Page, place: string): Promise<void> => {
  await page.evaluate(`document.querySelector('#main h1').dataset.isBefore = 'true'; null`);
  await goTo(page, place);
  await page.locator('#main h1:not([data-is-before])').waitFor();
};

/** The page has one heading, shows no loading error and fits the window. */
export const assertWhole = async (page: Page, place: string): Promise<void> => {
  await assertFits(page);
  assert.equal(await page.locator('h1').count(), 1, place);
  assert.equal(await page.getByText('could not be loaded').count(), 0, place);
};
