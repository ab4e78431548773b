// The three screenshots of the README: a marketplace with some history, at 1280 pixels, in light. After a change of
// these pages copy them from test-artefacts to docs/pictures.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app.ts';
import { openOwnBrowser } from '../support/browser-fixture.ts';
import { ARTEFACTS, picture } from '../support/page-checks.ts';

const SIZE = { width: 1280, height: 960 };
/** The whole home page. */
const TALL = { width: 1280, height: 1440 };
const BYTES_MAX = 200 * 1_024;
const SIGNATURE_AND_LENGTH = 16;

const PAST = [
  { title: 'Website for a bakery', amount: '1850.00', end: 'release' },
  { title: 'Translation, 40 pages', amount: '960.00', end: 'release' },
  { title: 'Photographs of a house', amount: '420.00', end: 'refund' },
] as const;

/** A buyer and a seller with balances and closed orders. */
const marketplace = async (app: TestApp) => {
  const done = async (request: string, body: Record<string, unknown> = {}) => {
    const answer = await app.call(request, { body });
    assert.ok(answer.status < 300, answer.text);
    // The answers about orders and disputes have one more `data` level.
    return answer.body.data.data ?? answer.body.data;
  };
  const buyerId: string = (await done('POST /users', { externalUserId: 'anna-buys' })).id;
  const sellerId: string = (await done('POST /users', { externalUserId: 'bert-sells' })).id;
  await done(`POST /users/${buyerId}/balance/credit`, { amount: '9000.00', description: 'Opening balance' });
  const funded = async (body: Record<string, unknown>): Promise<string> => {
    const { id } = await done('POST /orders', { buyerId, sellerId, currency: 'USD', ...body });
    for (const step of ['reserve', 'escrow', 'escrow/fund']) await done(`POST /orders/${id}/${step}`);
    return id;
  };
  for (const { end, ...order } of PAST) {
    const id = await funded(order);
    await done(`POST /orders/${id}/resolution/${end}`, end === 'refund' ? { reason: 'Called off by both' } : {});
  }
  return { done, funded, buyerId, sellerId };
};

const take = async (page: Page, name: string): Promise<void> => {
  // The screenshot must not show messages.
  for (const close of await page.getByRole('button', { name: 'Close message' }).all()) await close.click();
  await page.mouse.move(0, 0);
  await picture(page, `readme-${name}`);
  const file = await readFile(path.join(ARTEFACTS, `readme-${name}.png`));
  assert.ok(file.length < BYTES_MAX, `${name} has ${file.length} bytes`);
  assert.equal(file.readUInt32BE(SIGNATURE_AND_LENGTH), SIZE.width);
};

test('the home page, an order and a dispute are shown in three small screenshots', async (t) => {
  const fixture = await openOwnBrowser(t);
  const { done, funded, buyerId, sellerId } = await marketplace(fixture.app);
  const open = await done('POST /orders', { buyerId, sellerId, amount: '75.00', title: 'Flyer', currency: 'USD' });
  const milestones = [
    { ref: 'm1', title: 'First draft', amount: '140.00' },
    { ref: 'm2', title: 'Final version', amount: '100.00' },
  ];
  const orderId = await funded({ title: 'Logo in two drafts', amount: '240.00', milestones });
  await done(`POST /orders/${orderId}/milestones/m1/complete`);
  const disputed = await funded({ title: 'Business cards', amount: '130.00' });
  const evidence = ['https://files.example/print-proof.pdf', 'Letter of 12 November'];

  const page = await fixture.open('/?days=7', { size: TALL });
  await page.getByText('Live', { exact: true }).waitFor();
  const complaint = { orderId: disputed, openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence };
  const { id } = await done(`POST /orders/${disputed}/resolution/dispute`, complaint);
  await done(`POST /orders/${open.id}/reserve`);
  await page.getByRole('region', { name: 'Recent events' }).getByText('balance.reserved').waitFor();
  await page.locator('.chart canvas').nth(1).waitFor();
  await page.getByText('Balanced: every cent is accounted for').waitFor();
  await take(page, 'home');
  await page.setViewportSize(SIZE);

  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByRole('link', { name: 'Logo in two drafts' }).click();
  await page.getByRole('button', { name: /Funding escrow/ }).click();
  await take(page, 'order');

  await done(`POST /disputes/${id}/assign`, { assignedTo: 'Carla' });
  await page.getByRole('link', { name: 'Disputes', exact: true }).click();
  await page.getByRole('link', { name: 'Under review' }).click();
  await page.getByRole('link', { name: 'Business cards' }).click();
  const slider = page.getByRole('slider', { name: 'Seller’s share' });
  await slider.fill('9000');
  await page.getByRole('row', { name: /Seller, available 2,669\.50 \+85\.50 2,755\.00 USD/ }).waitFor();
  await take(page, 'dispute');
});
