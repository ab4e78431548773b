// Runs an order from its creation to its end. Checks the order, the balances and the contract after each step, the events at the
// end of each order, and then the books against the ledger, to 10^-7.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type OrderFixture, openSharedOrders } from '../support/order-fixture.ts';

type Ending = {
  readonly name: string;
  /** Ends the order. Returns the order. */
  end(fixture: OrderFixture, orderId: string): Promise<{ status: string; escrow: { status: string } }>;
  readonly escrow: 'RELEASED' | 'REFUNDED';
  readonly finalStatus: string;
  /** The balances after an order of 100.00 with the usual fee of 5 %. */
  readonly seller: string;
  readonly buyer: string;
  /** The platform fee, in units of 10^-7. */
  readonly fee: bigint;
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
  async (fixture: OrderFixture, orderId: string) => {
    const { expect, get } = fixture;
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
    escrow: 'RELEASED',
    finalStatus: 'RELEASED',
    seller: '95.00',
    fee: 50_000_000n,
    buyer: '900.00',
    events: ['order.release_requested', ...RELEASED],
  },
  {
    name: 'refund',
    end: ({ expect }, orderId) =>
      expect(`POST /orders/${orderId}/resolution/refund`, { body: { reason: 'Changed my mind' }, status: 200 }),
    escrow: 'REFUNDED',
    finalStatus: 'REFUNDED',
    seller: '0.00',
    fee: 0n,
    buyer: '1000.00',
    events: ['order.refund_requested', ...REFUNDED],
  },
  {
    name: 'a dispute that is decided for the seller',
    end: decide('FULL_RELEASE'),
    escrow: 'RELEASED',
    finalStatus: 'RELEASED',
    seller: '95.00',
    fee: 50_000_000n,
    buyer: '900.00',
    events: [...DISPUTED, ...RELEASED, 'dispute.resolved'],
  },
  {
    name: 'a dispute that is decided for the buyer',
    end: decide('FULL_REFUND'),
    escrow: 'REFUNDED',
    finalStatus: 'REFUNDED',
    seller: '0.00',
    fee: 0n,
    buyer: '1000.00',
    events: [...DISPUTED, ...REFUNDED, 'dispute.resolved'],
  },
  {
    name: 'a dispute that is split',
    end: decide('SPLIT', { releaseAmount: '60.00', refundAmount: '40.00' }),
    escrow: 'RELEASED',
    finalStatus: 'SPLIT',
    seller: '57.00',
    fee: 30_000_000n,
    buyer: '940.00',
    events: [
      ...DISPUTED,
      'escrow.released',
      'balance.credited',
      'order.released',
      'balance.credited',
      'order.refunded',
      'order.closed',
      'dispute.resolved',
    ],
  },
];

/** The amounts of the milestones of an order of 100.00, by the number of milestones. */
const PARTS = {
  0: undefined,
  1: ['100.00'],
  2: ['30.00', '70.00'],
  10: ['1.00', '2.00', '3.00', '4.00', '5.00', '6.00', '7.00', '8.00', '9.00', '55.00'],
} as const;

const runOrder = async (
  fixture: OrderFixture,
  { ending, milestones }: { ending: Ending; milestones: readonly string[] | undefined },
): Promise<void> => {
  const { parties, anOrder, expect, balance, contractOf, eventsOf } = fixture;
  const who = await parties();
  const order = await anOrder({ between: who, ...(milestones ? { milestones } : {}) });
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

  const ended = await ending.end(fixture, order.id);
  assert.deepEqual([ended.status, ended.escrow.status], ['CLOSED', ending.escrow]);
  const stored = await fixture.get(order.id);
  assert.equal(stored.finalStatus, ending.finalStatus);
  assert.ok(ending.escrow === 'RELEASED' ? stored.escrow.releasedAt : stored.escrow.refundedAt);
  assert.deepEqual(await balance(who.buyer), { available: ending.buyer, reserved: '0.00' });
  assert.deepEqual(await balance(who.seller), { available: ending.seller, reserved: '0.00' });
  assert.equal((await contractOf(stored)).balance, 0);

  const completed = ending.name === 'release' ? (milestones ?? []).map(() => 'escrow.milestone_completed') : [];
  assert.deepEqual(await eventsOf(order.id), [...MADE, ...completed, ...ending.events]);
};

export const ENDING_NAMES = ENDINGS.map(({ name }) => name);

/** Runs one order for each of these endings. Returns the platform fees, actual and expected, in units of 10^-7. */
export const runToEnds = async (
  t: TestContext,
  { count, endings }: { count: keyof typeof PARTS; endings: readonly string[] },
): Promise<{ earned: string; expected: string }> => {
  const fixture = await openSharedOrders(t);
  const chosen = ENDINGS.filter(({ name }) => endings.includes(name));
  for (const ending of chosen) {
    await t.test(`the order ends by ${ending.name}`, () => runOrder(fixture, { ending, milestones: PARTS[count] }));
  }
  await fixture.assertSound();
  const fees = await fixture.app.sql(`select sum(balance)::text as sum from accounts where id = 'platform:fees:USD'`);
  return { earned: fees[0].sum, expected: String(chosen.reduce((sum, { fee }) => sum + fee, 0n)) };
};
