// A correction that gives a funding up while a refused call of it is still valid: first its sequence number is used up. Until then the
// correction is refused, because the ledger could pay the call after the buyer has the money back.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../tools/until.ts';
import { codeOf } from '../support/app.ts';
import { openSharedOrders } from '../support/order-fixture.ts';
import { corrections } from './correct.ts';

const ABANDON = 'abandon-operation';
const SETTLE = 'settle-short-funding';

const REFUSED = `select t.envelope from ledger_transactions t, jsonb_array_elements(t.actions) a
  where t.ending = 'rejected' and a ->> 'orderId' = $1`;

/** A funding of which the provider has refused a call, while the sequence number of the call cannot be used up. */
const openRefused = async (t: TestContext, { isShort }: { readonly isShort: boolean }) => {
  const fixture = await openSharedOrders(t);
  const { app, parties, anOrder, fault, addressOf, simulator, get, unmetFaults } = fixture;
  const who = await parties();
  const order = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  t.after(() => simulator('DELETE /faults'));
  if (isShort) await fault('fund', 'short', { match: order.id });
  // The contract is read before each funding is signed, and slowly, so that the next faults meet only the last of them.
  const slow = await fault('contract-get', 'slow', {
    match: order.escrow.providerContractId,
    delayMs: 2_000,
    count: isShort ? 2 : 1,
  });
  const answer = app.call(`POST /orders/${order.id}/escrow/fund`);
  await until(async () => !(await unmetFaults()).some(({ id }) => id === slow.id), 'the call is about to be signed');
  await fault('fund', 'http-200-failed', { match: order.id });
  // A new number is read from the account.
  await fault('account', 'refusal', { match: await addressOf(who.buyer), count: 10_000 });
  assert.equal(codeOf(await answer), '504 PROVIDER_TIMEOUT');
  const [refused] = await app.sql(REFUSED, [order.id]);
  const { id: operationId } = (await get(order.id)).operation;
  return {
    ...fixture,
    ...corrections(app),
    who,
    order,
    operationId,
    /** The account can be read again. The operation still waits, because the provider prepares no call. */
    async numberIsFree(): Promise<void> {
      await simulator('DELETE /faults');
      await fault('fund', 'outage', { match: order.id, count: 10_000 });
    },
    /** The status of the ledger's answer to the refused call. */
    async sendRefused(): Promise<number> {
      const body = new URLSearchParams({ tx: refused.envelope });
      return (await fetch(`${app.sandboxUrl}/ledger/transactions`, { method: 'POST', body })).status;
    },
  };
};

test('a funding whose refused call is still valid is given up only when the call has become invalid', async (t) => {
  const fixture = await openRefused(t, { isShort: false });
  const { who, order, operationId, refuse, send, get, balance, expect, sendRefused } = fixture;
  const wanted = { kind: ABANDON, resourceId: operationId };
  const facts = await refuse(wanted, /may still accept it.*Try the correction again/);
  assert.deepEqual([facts.operation, facts.state], ['fund-escrow', 'RUNNING']);
  assert.equal((await get(order.id)).status, 'ESCROW_FUNDING');
  await fixture.numberIsFree();
  const buyer = await fixture.addressOf(who.buyer);
  const sent = () => fixture.app.sql('select id from ledger_transactions where source = $1 order by id', [buyer]);
  const before = await sent();
  assert.equal((await send(wanted, { dryRun: true })).status, 200);
  assert.deepEqual(await sent(), before, 'a preview uses no number');
  const { status, text, body } = await send(wanted);
  assert.equal(status, 201, text);
  assert.deepEqual([body.data.after.state, body.data.after.orderStatus], ['FAILED', 'FUNDS_RESERVED']);
  assert.equal(await sendRefused(), 400, 'the ledger refuses the call');
  await expect(`POST /orders/${order.id}/cancel`, { status: 201 });
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  assert.equal((await fixture.contractOf(order)).balance, 0);
  await fixture.assertSound();
});

test('a refused call that the ledger has included after all is found before the funding is given up', async (t) => {
  const fixture = await openRefused(t, { isShort: false });
  const { order, operationId, refuse, get, simulator, sendRefused } = fixture;
  await fixture.numberIsFree();
  assert.equal(await sendRefused(), 200);
  // Or the server has found the call by itself.
  await refuse({ kind: ABANDON, resourceId: operationId }, /made in the meantime|in the contract|has succeeded/);
  await simulator('DELETE /faults');
  await until(async () => (await get(order.id)).status === 'IN_PROGRESS', 'the funding is confirmed');
  assert.equal((await fixture.contractOf(order)).balance, 100);
  await fixture.assertSound();
});

test('a short funding is settled only when the refused call for its rest has become invalid', async (t) => {
  const fixture = await openRefused(t, { isShort: true });
  const { order, refuse, make, sendRefused } = fixture;
  const wanted = { kind: SETTLE, resourceId: order.id, amount: '50.00' };
  await refuse(wanted, /may still accept it.*Try the correction again/);
  await fixture.numberIsFree();
  const made = await make(wanted);
  assert.deepEqual([made.amount, made.after.orderStatus], ['50.00', 'FUNDS_RESERVED']);
  assert.equal(await sendRefused(), 400, 'the ledger refuses the call');
  assert.equal((await fixture.contractOf(order)).balance, 50);
  const canceled = await fixture.app.call(`POST /orders/${order.id}/cancel`);
  assert.equal(codeOf(canceled), '400 INVALID_STATE', 'the part is in the contract');
  await fixture.assertSound();
});
