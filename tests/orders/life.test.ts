// The whole life of orders with 0, 1, 2 and 10 milestones, for every way that one can end. After each step: the order, the
// balances, the contract on the ledger and the events; at the end the books against the ledger, to the last 10^-7.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type OrderStand, openSharedOrders } from './order-stand.ts';

type Ending = {
  readonly name: string;
  /** Ends the order and says what it answered. */
  end(stand: OrderStand, orderId: string): Promise<{ status: string; escrow: { status: string } }>;
  readonly escrow: 'RELEASED' | 'REFUNDED';
  readonly finalStatus: string;
  /** Of an order of 100.00 with the usual fee of 5 %. */
  readonly seller: string;
  readonly buyer: string;
  readonly events: readonly string[];
};

const MADE = [
  'order.created',
  'balance.reserved',
  'order.funds_reserved',
  'order.escrow_creating',
  'escrow.created',
  'order.escrow_funding',
  'escrow.funding_started',
  'balance.released',
  'escrow.funded',
  'order.escrow_funded',
  'order.in_progress',
];

const RELEASED = ['escrow.released', 'balance.credited', 'order.released', 'order.closed'];
const REFUNDED = ['escrow.refunded', 'balance.credited', 'order.refunded', 'order.closed'];
const DISPUTED = ['dispute.opened', 'order.disputed', 'dispute.under_review'];

const decide =
  (decision: string, amounts: object = {}) =>
  async (stand: OrderStand, orderId: string) => {
    const { expect, get } = stand;
    const opened = { orderId, openedBy: 'SELLER', reason: 'QUALITY_ISSUE', evidence: ['https://example.com/a'] };
    const { id } = await expect(`POST /orders/${orderId}/resolution/dispute`, { body: opened, status: 201 });
    await expect(`POST /disputes/${id}/assign`, { body: { assignedTo: 'agent-1' }, status: 200 });
    const body = { decision, note: 'Seen both sides.', ...amounts };
    const dispute = await expect(`POST /disputes/${id}/resolve`, { body, status: 200 });
    assert.deepEqual(
      [dispute.status, dispute.resolutionDecision, dispute.decisionNote, dispute.order.status],
      ['RESOLVED', decision, 'Seen both sides.', 'CLOSED'],
    );
    return get(orderId);
  };

const ENDINGS: readonly Ending[] = [
  {
    name: 'release',
    async end({ expect, get, completeAll }, orderId) {
      await completeAll(await get(orderId));
      return expect(`POST /orders/${orderId}/resolution/release`, { body: { reason: 'All fine' }, status: 200 });
    },
    ...{ escrow: 'RELEASED', finalStatus: 'RELEASED', seller: '95.00', buyer: '900.00' },
    events: ['order.release_requested', ...RELEASED],
  },
  {
    name: 'refund',
    end: ({ expect }, orderId) =>
      expect(`POST /orders/${orderId}/resolution/refund`, { body: { reason: 'Changed my mind' }, status: 200 }),
    ...{ escrow: 'REFUNDED', finalStatus: 'REFUNDED', seller: '0.00', buyer: '1000.00' },
    events: ['order.refund_requested', ...REFUNDED],
  },
  {
    name: 'a dispute that is decided for the seller',
    end: decide('FULL_RELEASE'),
    ...{ escrow: 'RELEASED', finalStatus: 'RELEASED', seller: '95.00', buyer: '900.00' },
    events: [...DISPUTED, ...RELEASED, 'dispute.resolved'],
  },
  {
    name: 'a dispute that is decided for the buyer',
    end: decide('FULL_REFUND'),
    ...{ escrow: 'REFUNDED', finalStatus: 'REFUNDED', seller: '0.00', buyer: '1000.00' },
    events: [...DISPUTED, ...REFUNDED, 'dispute.resolved'],
  },
  {
    name: 'a dispute that is split',
    end: decide('SPLIT', { releaseAmount: '60.00', refundAmount: '40.00' }),
    ...{ escrow: 'RELEASED', finalStatus: 'SPLIT', seller: '57.00', buyer: '940.00' },
    events: [
      ...DISPUTED,
      ...['escrow.released', 'balance.credited', 'order.released'],
      ...['balance.credited', 'order.refunded', 'order.closed', 'dispute.resolved'],
    ],
  },
];

const PARTS: Readonly<Record<number, readonly string[] | undefined>> = {
  0: undefined,
  1: ['100.00'],
  2: ['30.00', '70.00'],
  10: ['1.00', '2.00', '3.00', '4.00', '5.00', '6.00', '7.00', '8.00', '9.00', '55.00'],
};

const live = async (stand: OrderStand, ending: Ending, milestones: readonly string[] | undefined): Promise<void> => {
  const { people, createOrder, expect, balance, contractOf, eventsOf } = stand;
  const who = await people();
  const order = await createOrder(who, milestones ? { milestones } : {});
  assert.deepEqual(
    [order.status, order.escrow, order.milestones.length],
    ['ORDER_CREATED', null, milestones?.length ?? 0],
  );
  const path = `/orders/${order.id}`;

  const reserved = await expect(`POST ${path}/reserve`, { status: 201 });
  assert.equal(reserved.status, 'FUNDS_RESERVED');
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '100.00' });

  const created = await expect(`POST ${path}/escrow`, { status: 201 });
  assert.deepEqual([created.status, created.escrow.status], ['ESCROW_FUNDING', 'CREATED']);
  const type = (milestones?.length ?? 0) > 1 ? 'multi-release' : 'single-release';
  const deployed = await contractOf(created);
  assert.deepEqual([deployed.type, deployed.engagementId, deployed.balance], [type, order.id, 0]);
  assert.equal(deployed.platformFee, 5);
  assert.deepEqual(created.escrow.terms, milestones ? { milestones_required: true } : null);

  const funded = await expect(`POST ${path}/escrow/fund`, { status: 201 });
  assert.deepEqual([funded.status, funded.escrow.status], ['IN_PROGRESS', 'FUNDED']);
  assert.ok(funded.escrow.fundedAt);
  assert.deepEqual(await balance(who.buyer), { available: '900.00', reserved: '0.00' });
  assert.equal((await contractOf(funded)).balance, 100);

  const ended = await ending.end(stand, order.id);
  assert.deepEqual([ended.status, ended.escrow.status], ['CLOSED', ending.escrow]);
  const stored = await stand.get(order.id);
  assert.equal(stored.finalStatus, ending.finalStatus);
  assert.ok(ending.escrow === 'RELEASED' ? stored.escrow.releasedAt : stored.escrow.refundedAt);
  assert.deepEqual(await balance(who.buyer), { available: ending.buyer, reserved: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: ending.seller, reserved: '0.00' });
  assert.equal((await contractOf(stored)).balance, 0);

  const completed = ending.name === 'release' ? (milestones ?? []).map(() => 'escrow.milestone_completed') : [];
  assert.deepEqual(await eventsOf(order.id), [...MADE, ...completed, ...ending.events]);
};

for (const [count, milestones] of Object.entries(PARTS)) {
  test(`an order with ${count} milestones lives its whole life, whichever way it ends`, async (t: TestContext) => {
    const stand = await openSharedOrders(t);
    for (const ending of ENDINGS) {
      await t.test(`it ends by ${ending.name}`, () => live(stand, ending, milestones));
    }
    await stand.assertSound();
    const fees = await stand.app.sql(`select sum(balance)::text as sum from accounts where id = 'platform:fees:USD'`);
    // 5 % of 100.00, of 100.00 and of the 60.00 that the seller was given.
    assert.equal(fees[0].sum, '130000000');
  });
}

test('an order in the native asset is settled in it, and one in USDC from its own balance', async (t) => {
  const stand = await openSharedOrders(t);
  const { people, funded, completeAll, expect, balance, app } = stand;
  for (const currency of ['XLM', 'USDC']) {
    const who = await people();
    await app.call(`POST /users/${who.buyer}/balance/credit`, { body: { amount: '50.00', currency } });
    const order = await funded(who, { amount: '20.00', currency, metadata: { platformFee: 10 } });
    await completeAll(order);
    await expect(`POST /orders/${order.id}/resolution/release`, { status: 200 });
    assert.deepEqual(await balance(who.buyer, currency), { available: '30.00', reserved: '0.00' });
    assert.deepEqual(await balance(who.seller, currency), { available: '18.00', reserved: '0.00' });
  }
  await stand.assertSound();
});
