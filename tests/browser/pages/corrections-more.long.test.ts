// Corrections of payouts, breaks and operations in the console, made with the faults of the sandbox; and the retry of operations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../tools/until.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openOwnBrowser } from '../support/browser-fixture.ts';
import { checkState } from '../support/check-state.ts';
import { correctOnPage, openRecord, REASON } from '../support/correct.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openOwnBrowser(t);
  return { ...fixture, page: await fixture.open('/orders') };
});

/** A withdrawal of 25.50 that the provider executed over another amount. */
const aDifferingPayout = async (fault: 'short' | 'wrong-amount'): Promise<string> => {
  const { app } = shared();
  const userId = await app.aUser({ available: '100.00' });
  const destination = { type: 'bank', email: 'anna@shop.example' };
  const body = { userId, amount: '25.50', currency: 'USD', destination };
  const made = await app.call('POST /withdrawals', { body });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  await app.call('POST /sandbox/faults', { body: { operation: 'payout-commit', fault, match: id } });
  await app.call(`POST /withdrawals/${id}/commit`);
  const moved = await app.call(`POST /sandbox/payouts/${id}/complete`);
  assert.ok(moved.status < 300, moved.text);
  await until(async () => {
    const { data } = (await app.call(`GET /reconciliation/breaks?open=true&subject=${id}`)).body.data;
    return data.length === 1;
  }, 'the alert is shown');
  return id;
};

test('settle-payout: the rest of a payout over less returns to the user, from the page of the withdrawal', async () => {
  const { page } = shared();
  const id = await aDifferingPayout('short');
  await openRecord(page, `/withdrawals/${id}`);
  await correctOnPage(page, { kind: 'Settle payout', figures: [['Available', '74.50', '87.25']] });
});

test('close-break: an alert about a payout is closed from its details beside the list', async () => {
  const { app, page } = shared();
  const id = await aDifferingPayout('wrong-amount');
  await goTo(page, '/breaks');
  await page.getByLabel('Subject').fill(id);
  await page.waitForURL(/subject=/);
  await page.getByRole('link', { name: 'Payout over another amount' }).click();
  await page.getByRole('complementary', { name: 'Payout over another amount' }).waitFor();
  await checkState(page, 'break-details');
  await page.getByRole('button', { name: 'Correct…' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Correction').selectOption('Close break');
  await form.getByLabel('Reason').fill(REASON);
  await form.getByRole('button', { name: 'Continue' }).click();
  const sure = page.getByRole('alertdialog');
  const row = sure.getByRole('row', { name: /^Is open / });
  await row.waitFor();
  assert.deepEqual(await row.locator('th, td').allTextContents(), ['Is open', 'true', 'false']);
  await sure.getByRole('button', { name: 'Close break' }).click();
  await sure.waitFor({ state: 'detached' });
  await until(async () => {
    const { data } = (await app.call(`GET /reconciliation/breaks?open=true&subject=${id}`)).body.data;
    return data.length === 0;
  }, 'the alert has ended');
});

/** An order whose escrow cannot be created: its operation waits for the provider. */
const aStuckOrder = async (title: string) => {
  const { app } = shared();
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ at: 'FUNDS_RESERVED', amount: '100.00', title });
  const body = { operation: 'deploy', fault: 'outage', match: order.id, count: 10_000 };
  assert.equal((await app.call('POST /sandbox/faults', { body })).status, 201);
  assert.equal((await app.call(`POST /orders/${order.id}/escrow`)).status, 504);
  return { id: order.id as string, statusNow: async () => (await trade.done(`GET /orders/${order.id}`)).status };
};

for (const { verb, kind, after } of [
  { verb: 'Abandon…', kind: 'Abandon operation', after: 'FUNDS_RESERVED' },
  { verb: 'Retry…', kind: 'Retry operation', after: 'ESCROW_FUNDING' },
] as const) {
  test(`${kind}: a stuck operation is ${kind === 'Abandon operation' ? 'given up' : 'tried again'} from the health page, with the keyboard`, async () => {
    const { app, page } = shared();
    const order = await aStuckOrder(kind);
    await goTo(page, `/health?orderId=${order.id}`);
    await page.getByRole('button', { name: `${verb} create-escrow of ${order.id}` }).focus();
    await page.keyboard.press('Enter');
    const form = page.getByRole('dialog', { name: kind });
    await form.getByLabel('Reason').fill(REASON);
    await form.getByRole('button', { name: 'Continue' }).focus();
    await page.keyboard.press('Enter');
    const sure = page.getByRole('alertdialog', { name: kind });
    await sure.getByRole('row', { name: /^State RUNNING/ }).waitFor();
    await checkState(page, `operation-${after.toLowerCase()}`);
    await sure.getByRole('button', { name: kind }).focus();
    // The provider answers again only now: an automatic attempt before would end the operation.
    if (after === 'ESCROW_FUNDING') await app.call('DELETE /sandbox/faults');
    await page.keyboard.press('Enter');
    await sure.waitFor({ state: 'detached' });
    await until(async () => (await order.statusNow()) === after, `the order is ${after}`);
    await app.call('DELETE /sandbox/faults');
  });
}
