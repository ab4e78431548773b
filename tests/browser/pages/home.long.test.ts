// The home page: proof of balances, money flow, open work, and updates without a reload.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { add, amountOf, type Units } from '../../../console/src/parts/money/amounts.ts';
import { createKeptProofs } from '../../../server/src/books/checkpoints.ts';
import { proveAndMark } from '../../../server/src/modules/audit/jobs.ts';
import { openPool } from '../../../server/src/postgres/connection.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import type { TestApp } from '../../support/app.ts';
import { NARROW, openBrowser, setView } from '../support/browser-fixture.ts';

const unitsIn = (shown: string): Units => amountOf(/[\d.-]+/.exec(shown.replaceAll(',', '').replace('−', '-'))![0]);

/** Runs in the page: whether each chart ends within its panel. A chart adapts to a new width some frames later. */
const chartsFit = `new Promise((answer) => {
  const fits = (canvas) => canvas.getBoundingClientRect().right <= canvas.closest('.panel').getBoundingClientRect().right;
  const look = (frames) => {
    if ([...document.querySelectorAll('.chart canvas')].every(fits)) answer(true);
    else if (frames === 0) answer(false);
    else requestAnimationFrame(() => look(frames - 1));
  };
  look(120);
})`;

/** As the job of the full proof does. */
const proveFully = async ({ connection, marketplaceId }: TestApp): Promise<void> => {
  const pool = openPool(connection, { max: 1, onError() {} });
  try {
    await createKeptProofs(pool).keep(marketplaceId, await proveAndMark(pool, { marketplaceId, full: true }));
  } finally {
    await pool.end();
  }
};

test('the home page shows the proof of balances, the money flow, and what needs attention', async (t) => {
  const fixture = await openBrowser(t);
  const trade = await tradeIn(fixture.app, { available: '2500.00' });
  const released = await trade.anOrder({ at: 'IN_PROGRESS', amount: '400.10', title: 'Logo design' });
  await trade.done(`POST /orders/${released.id}/resolution/release`);
  const refunded = await trade.anOrder({ at: 'IN_PROGRESS', amount: '150.00', title: 'Translation' });
  await trade.done(`POST /orders/${refunded.id}/resolution/refund`, { body: { reason: 'not needed any more' } });
  await trade.aDispute();
  const reserved = await trade.anOrder({ amount: '90.00', title: 'Flyer' });
  await trade.done(`POST /orders/${reserved.id}/reserve`);
  await proveFully(fixture.app);

  const page = await fixture.open('/?days=7');
  await page.getByText('Balanced: every cent is accounted for').waitFor();
  assert.match((await page.locator('.home-proof').textContent())!, /\. Last full proof: (just now|\d+ (sec|min) ago)$/);
  const flow = page.getByRole('region', { name: 'Money flow in USD' });
  await flow.getByText('2,289.995').waitFor();
  const text = (await flow.textContent()) ?? '';
  for (const part of [
    'Reserved90.00',
    'In escrow100.00',
    'To sellers of closed orders380.095',
    'Refunded to buyers of closed orders150.00',
    'Platform fees of closed orders20.005',
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  const liabilities = page.getByRole('table', { name: 'Liabilities', exact: true });
  await liabilities.getByRole('row', { name: 'Users, available 2,289.995' }).waitFor();
  const parts = await liabilities.locator('tbody td:last-child').allTextContents();
  const total = await liabilities.locator('tfoot td:last-child').textContent();
  assert.equal(add(...parts.map(unitsIn)), unitsIn(total!), 'the parts that are shown add up to the total');
  await liabilities.getByText('Sandbox test money and manual adjustments (own scale)').waitFor();
  const widest = liabilities.locator('tbody:not(.places-apart) .places-bar span').first();
  const bar = await widest.boundingBox();
  const box = await liabilities.locator('.places-bar').first().boundingBox();
  assert.ok(
    bar!.width > box!.width / 2,
    'what users own fills the scale, although the test money is a thousand times as much',
  );
  const events = page.getByRole('region', { name: 'Recent events' });
  await events.getByText('balance.reserved').first().waitFor();
  const work = page.getByRole('region', { name: 'Needs attention' });
  await work.getByRole('row', { name: /Unassigned disputes 1/ }).waitFor();
  await page.locator('.chart canvas').nth(1).waitFor();
  assert.equal(await page.getByLabel('Period').inputValue(), '7');

  await setView(page, { size: NARROW, scheme: 'light' });
  assert.ok(await page.evaluate<boolean>(chartsFit), 'the charts have become as narrow as the window');
  for (const label of ['Currency', 'Period']) assert.ok(await page.getByLabel(label).isVisible(), label);
  const result = await page.locator('.home-proof > :first-child').boundingBox();
  const checked = await page.locator('.home-proof > :last-child').boundingBox();
  assert.ok(result!.y + result!.height <= checked!.y, 'the result of the proof is above its time');

  await trade.anOrder({ title: 'Another one', amount: '10.00' });
  await events.getByText('order.created').first().waitFor();
  await trade.done(`POST /orders/${reserved.id}/cancel`);
  await flow.getByText('2,379.995').waitFor();
});
