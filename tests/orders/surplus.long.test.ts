// Money that others paid into an escrow contract, and money that a contract neither completes nor pays back: what reconciliation shows
// of them, and how a settlement takes a surplus into the books.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { until } from '../../tools/until.ts';
import { reconcile } from '../browser/support/reconcile.ts';
import { codeOf } from '../support/app.ts';
import { openOrders } from '../support/order-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';

const shared = shareInFile((t) => openOrders(t as TestContext));

/** What the books have as surplus, in units of 10^-7. */
const surplusInBooks = async (): Promise<bigint> => {
  const [row] = await shared().app.sql(
    `select coalesce(sum(balance), 0)::text as units from accounts where id = 'operator:escrow-surplus:USD'`,
  );
  return BigInt(row.units);
};

const list = (path: string) => shared().expect(`GET /reconciliation/${path}`, { status: 200 });

const anOrderWithSurplus = async (milestones: string[]) => {
  const { parties, anOrder, fault, expect, contractOf, assertSound } = shared();
  const who = await parties();
  const order = await anOrder({ at: 'ESCROW_FUNDING', between: who, milestones });
  await fault('fund', 'surplus', { match: order.id });
  const funded = await expect(`POST /orders/${order.id}/escrow/fund`, { status: 201 });
  assert.deepEqual([funded.status, (await contractOf(funded)).balance], ['IN_PROGRESS', 110]);
  // The comparison with the ledger counts what the outsider paid in.
  await assertSound();
  return { who, order: funded, contractId: funded.escrow.providerContractId as string };
};

test('a surplus is listed apart from the breaks, and a refund pays it to the platform', async () => {
  const { app, expect, contractOf, balance, assertSound } = shared();
  const { who, order, contractId } = await anOrderWithSurplus(['100.00']);
  const before = await surplusInBooks();
  await reconcile(app);
  const [listed] = await list(`surplus?contractId=${contractId}`);
  const { orderId, expected, actual, amount, isOpen } = listed;
  assert.deepEqual(
    { orderId, expected, actual, amount, isOpen },
    { orderId: order.id, expected: '100.0000000', actual: '110.0000000', amount: '10.0000000', isOpen: true },
  );
  assert.deepEqual(await list(`breaks?subject=${contractId}`), []);
  const { checks } = await expect('GET /audit/proof', { status: 200 });
  assert.equal(checks.find(({ name }: { name: string }) => name === 'no-open-breaks').holds, true);

  await expect(`POST /orders/${order.id}/resolution/refund`, { body: { reason: 'never came' }, status: 200 });
  assert.equal((await contractOf(order)).balance, 0);
  assert.deepEqual(await balance(who.buyer), { available: '1000.00', reserved: '0.00' });
  assert.equal((await surplusInBooks()) - before, 100_000_000n);
  await assertSound();
  await reconcile(app);
  assert.equal((await list(`surplus?contractId=${contractId}`))[0].isOpen, false);
});

test('the last milestone of an order takes the surplus out of the contract', async () => {
  const { expect, contractOf, balance, assertSound, completeAll } = shared();
  const { who, order } = await anOrderWithSurplus(['40.00', '60.00']);
  const before = await surplusInBooks();
  await completeAll(order);
  await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
  assert.equal((await contractOf(order)).balance, 0);
  assert.deepEqual(await balance(who.seller), { available: '95.00', reserved: '0.00' });
  assert.equal((await surplusInBooks()) - before, 100_000_000n);
  await assertSound();
  const { claims } = (await expect('GET /reports/money', { status: 200 })).currencies[0];
  const place = claims.find((one: { place: string }) => one.place === 'escrow_surplus');
  assert.ok(Number(place.amount) >= 10, place.amount);
});

test('a part that is neither completed nor paid back stays reserved, with a break that says where it is', async () => {
  const { app, parties, anOrder, fault, get, balance, simulator, contractOf, untilStatus, assertSound } = shared();
  const who = await parties();
  const order = await anOrder({ at: 'ESCROW_FUNDING', between: who });
  await fault('fund', 'short', { match: order.id, count: 3 });
  await fault('dispute', 'refusal', { match: order.id, count: 1_000 });
  assert.equal(codeOf(await app.call(`POST /orders/${order.id}/escrow/fund`)), '504 PROVIDER_TIMEOUT');
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '100.00' });
  await until(async () => {
    await reconcile(app);
    return (await list(`breaks?subject=${order.id}&open=true`)).length === 1;
  }, 'a break about the order');
  const [{ kind, expected, actual, reason }] = await list(`breaks?subject=${order.id}`);
  assert.deepEqual([kind, expected, actual], ['short-funding', '100.0000000', '87.5000000']);
  assert.ok(reason.includes(order.escrow.providerContractId), reason);
  assert.equal((await get(order.id)).status, 'ESCROW_FUNDING');

  await simulator('DELETE /faults');
  await untilStatus(order.id, 'FUNDS_RESERVED');
  assert.equal((await contractOf(order)).balance, 0);
  await reconcile(app);
  assert.deepEqual(await list(`breaks?subject=${order.id}&open=true`), []);
  await assertSound();
});
