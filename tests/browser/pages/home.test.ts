// The home page: proof of balances, money flow, open work, and updates without a reload.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { openBrowser } from '../support/browser-fixture.ts';

test('the home page shows the proof of balances, the money flow, and what needs attention', async (t) => {
  const fixture = await openBrowser(t);
  const trade = await tradeIn(fixture.app, { available: '2500.00' });
  const released = await trade.anOrder({ at: 'IN_PROGRESS', amount: '400.00', title: 'Logo design' });
  await trade.done(`POST /orders/${released.id}/resolution/release`);
  const refunded = await trade.anOrder({ at: 'IN_PROGRESS', amount: '150.00', title: 'Translation' });
  await trade.done(`POST /orders/${refunded.id}/resolution/refund`, { body: { reason: 'not needed any more' } });
  await trade.aDispute();
  const reserved = await trade.anOrder({ amount: '90.00', title: 'Flyer' });
  await trade.done(`POST /orders/${reserved.id}/reserve`);

  const page = await fixture.open('/?days=7');
  await page.getByText('Balanced: every cent is accounted for').waitFor();
  const flow = page.getByRole('region', { name: 'Money flow in USD' });
  await flow.getByText('2,290.00').waitFor();
  const text = (await flow.textContent()) ?? '';
  for (const part of [
    'Reserved90.00',
    'In escrow100.00',
    'To sellers380.00',
    'Refunded to buyers150.00',
    'fees20.00',
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  const work = page.getByRole('region', { name: 'Needs attention' });
  await work.getByRole('row', { name: /Unassigned disputes 1/ }).waitFor();
  await page.locator('.chart canvas').nth(1).waitFor();
  assert.equal(await page.getByLabel('Period').inputValue(), '7');

  await trade.anOrder({ title: 'Another one', amount: '10.00' });
  await page.getByRole('region', { name: 'Recent events' }).getByText('order.created').waitFor();
  await trade.done(`POST /orders/${reserved.id}/cancel`);
  await flow.getByText('2,380.00').waitFor();
});
