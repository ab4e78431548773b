// Corrections in the console: a story for each dead end, made with the faults of the sandbox, from the page of the record to its new state.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { webhooksIn } from '../../contract/webhook-escrow-fixture.ts';
import { ordersIn } from '../../support/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { ESCROW_SECRET } from '../../support/shared-app.ts';
import { changeKey, openOwnBrowser } from '../support/browser-fixture.ts';
import { checkState } from '../support/check-state.ts';
import { correctOnPage, fillCorrection, openRecord, REASON } from '../support/correct.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openOwnBrowser(t, { ESCROW_WEBHOOK_SECRET: ESCROW_SECRET });
  const { deliver } = webhooksIn(t, ordersIn(fixture.app));
  return { ...fixture, deliver, page: await fixture.open('/orders') };
});

/** A top-up that was canceled and paid afterwards. */
const aLateTopup = async (): Promise<{ id: string; userId: string }> => {
  const { app } = shared();
  const userId = await app.aUser();
  const made = await app.call('POST /topups', { body: { userId, amount: '25.50', currency: 'USD' } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  for (const decision of ['cancel', 'confirm-late']) {
    const { status, text } = await app.call(`POST /sandbox/payins/${id}/${decision}`);
    assert.ok(status < 300, text);
  }
  return { id, userId };
};

test('credit-late-topup: a top-up that was paid after it was canceled is credited from its page', async () => {
  const { app, page } = shared();
  const { id, userId } = await aLateTopup();
  await openRecord(page, `/topups/${id}`);
  await page.getByRole('button', { name: 'Correct…' }).click();
  const form = page.getByRole('dialog', { name: 'Credit late top-up' });
  await form.getByLabel('Reason').fill('too short');
  await form.getByRole('button', { name: 'Continue' }).click();
  await form.getByText('Give the reason in at least 10 characters.').waitFor();
  await checkState(page, 'correction-form');
  await page.keyboard.press('Escape');
  const sure = await fillCorrection(page, { kind: 'Credit late top-up' });
  await sure.getByRole('table', { name: 'Before and after the correction' }).waitFor();
  await checkState(page, 'correction-preview');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await correctOnPage(page, {
    kind: 'Credit late top-up',
    figures: [
      ['Status', 'TOPUP_CANCELED', 'TOPUP_SUCCEEDED'],
      ['Available', '0.00', '25.50'],
    ],
  });
  await page.getByText('Paid and credited').waitFor();
  assert.equal((await app.call(`GET /users/${userId}/balance`)).body.data.available, '25.50');
  await checkState(page, 'correction-made');
});

test('credit-late-topup: without a late payment the server refuses, and the dialog shows the facts', async () => {
  const { app, page } = shared();
  const userId = await app.aUser();
  const { id } = (await app.call('POST /topups', { body: { userId, amount: '9.00', currency: 'USD' } })).body.data;
  await app.call(`POST /sandbox/payins/${id}/cancel`);
  await openRecord(page, `/topups/${id}`);
  const sure = await fillCorrection(page, { kind: 'Credit late top-up' });
  await sure.getByText('The server would refuse this').waitFor();
  await sure.getByText('CORRECTION_REFUSED').waitFor();
  const facts = sure.getByRole('region', { name: 'Facts' });
  await facts.getByText('TOPUP_CANCELED').waitFor();
  assert.equal(await sure.getByRole('button', { name: 'Credit late top-up' }).getAttribute('aria-disabled'), 'true');
  await checkState(page, 'correction-refused');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
});

test('a correction that waits for approval changes nothing yet, and a key without the scope gets the reason', async () => {
  const { app, page } = shared();
  const { id } = await aLateTopup();
  const rules = await app.call('PUT /approval-rules', { body: [{ action: 'correction' }] });
  assert.equal(rules.status, 200, rules.text);
  await openRecord(page, `/topups/${id}`);
  const sure = await fillCorrection(page, { kind: 'Credit late top-up' });
  await sure.getByText('A rule makes this request wait for another person').waitFor();
  await sure.getByRole('button', { name: 'Credit late top-up' }).click();
  await sure.getByRole('button', { name: 'Close' }).click();
  await sure.waitFor({ state: 'detached' });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const { data } = (await app.call('GET /approvals?status=PENDING')).body.data;
  assert.deepEqual(
    data.map(({ action, request }: { action: string; request: { body: { reason: string } } }) => [
      action,
      request.body.reason,
    ]),
    [['correction', REASON]],
  );
  assert.equal((await app.call(`GET /topups/${id}`)).body.data.status, 'TOPUP_CANCELED');
  await app.call('PUT /approval-rules', { body: [] });
  await changeKey(page, await app.key(['read', 'write']));
  await page.getByText('Top-up canceled').waitFor();
  const button = page.getByRole('button', { name: 'Correct…' });
  assert.match((await button.getAttribute('title'))!, /lacks the “support” scope/);
  await changeKey(page, await app.key(['*']));
});

test('cancel-unfunded-order: an order that its buyer will not fund is canceled from its page', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ at: 'ESCROW_FUNDING', amount: '100.00', title: 'Never funded' });
  await openRecord(page, `/orders/${order.id}`);
  await correctOnPage(page, {
    kind: 'Cancel unfunded order',
    figures: [
      ['Order status', 'ESCROW_FUNDING', 'CLOSED'],
      ['Buyer available', '200.00', '300.00'],
      ['Buyer reserved', '100.00', '0.00'],
    ],
  });
  assert.deepEqual(await trade.figures(), ['300.00', '0.00']);
  await checkState(page, 'correction-of-order');
});

test('settle-short-funding: the part that arrived is named by the server, and the order goes on', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ at: 'ESCROW_FUNDING', amount: '100.00', title: 'Funded in part' });
  const faults = [
    { operation: 'fund', fault: 'short', match: order.id, count: 3 },
    { operation: 'dispute', fault: 'refusal', match: order.id, count: 1_000 },
  ];
  for (const body of faults) assert.equal((await app.call('POST /sandbox/faults', { body })).status, 201);
  await app.call(`POST /orders/${order.id}/escrow/fund`);
  await openRecord(page, `/orders/${order.id}`);
  const refused = await fillCorrection(page, { kind: 'Settle incomplete funding' });
  await refused.getByText('"amount": "87.50"').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await correctOnPage(page, {
    kind: 'Settle incomplete funding',
    amount: '87.50',
    figures: [
      ['Order status', 'ESCROW_FUNDING', 'FUNDS_RESERVED'],
      ['Operation', 'fund-escrow', '–'],
    ],
  });
  await app.call('DELETE /sandbox/faults');
  await page.getByRole('button', { name: 'Create escrow' }).waitFor();
});

test('adopt-contract-state: a release that a false webhook reported is undone from the page of the order', async () => {
  const { app, page, deliver } = shared();
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '100.00', title: 'Not released' });
  assert.equal(await deliver({ type: 'escrow.released', data: { order_id: order.id } }), true);
  await openRecord(page, `/orders/${order.id}`);
  await correctOnPage(page, {
    kind: 'Adopt state of the contract',
    figures: [
      ['Order status', 'CLOSED', 'IN_PROGRESS'],
      ['Final status', 'RELEASED', '–'],
      ['In escrow', '0.00', '100.00'],
      ['Seller available', '95.00', '0.00'],
    ],
  });
  await page.getByRole('button', { name: 'Release to seller' }).waitFor();
});
