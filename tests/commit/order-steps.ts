// Random commands on orders and on their reservations, submitted to one of several committers of a marketplace.

import fc from 'fast-check';
import { cancelReservation } from '../../server/src/modules/balances/release-reserved.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { cancelOrder } from '../../server/src/modules/orders/cancel-order.ts';
import { type CreateOrderInput, createOrder } from '../../server/src/modules/orders/create-order.ts';
import { reserveOrder } from '../../server/src/modules/orders/reserve-order.ts';
import { outcomeOf } from '../books/steps.ts';
import { type Fixture, replyOf, usd } from './fixture.ts';

type OrderStep =
  | { readonly do: 'create'; readonly milestones: number; readonly ref: string | null }
  | { readonly do: 'reserve' | 'cancel' | 'set-aside' | 'take-back'; readonly order: number };

export const orderSteps: fc.Arbitrary<OrderStep[]> = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('create' as const),
        milestones: fc.nat(2),
        ref: fc.constantFrom(null, null, 'r1', 'r2'),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constantFrom('reserve' as const, 'cancel' as const, 'set-aside' as const, 'take-back' as const),
        order: fc.nat(3),
      }),
    },
  ),
  { minLength: 1, maxLength: 14 },
);

export type Parties = { readonly buyerId: string; readonly sellerId: string };

export const orderInput = (parties: Parties, of: Partial<CreateOrderInput> = {}): CreateOrderInput => ({
  ...parties,
  amount: usd('2.00'),
  currency: 'USD',
  title: 'A table',
  description: null,
  clientOrderRef: null,
  metadata: {},
  platformFeeBps: 500,
  milestones: [],
  lenientMilestones: false,
  ...of,
});

const MILESTONES = [
  [],
  [['m1', '2.00']],
  [
    ['m1', '0.50'],
    ['m2', '1.50'],
  ],
] as const;

const submitOrderStep = async (
  fixture: Fixture,
  step: OrderStep,
  { parties, orders }: { parties: Parties; orders: string[] },
): Promise<void> => {
  if (step.do === 'create') {
    const milestones = MILESTONES[step.milestones]!.map(([ref, amount]) => ({ ref, title: ref, amount: usd(amount) }));
    const input = orderInput(parties, { milestones, clientOrderRef: step.ref });
    orders.push(replyOf(await fixture.submit(createOrder, input)).order.id);
    return;
  }
  const orderId = orders[step.order] ?? 'ord_unknown';
  const userId = parties.buyerId;
  if (step.do === 'reserve') await fixture.submit(reserveOrder, { orderId });
  else if (step.do === 'cancel') await fixture.submit(cancelOrder, { orderId, reason: null });
  else if (step.do === 'set-aside') {
    await fixture.submit(reserveBalance, { userId, currency: 'USD', amount: usd('0.30'), orderId });
  } else await fixture.submit(cancelReservation, { userId, orderId, reason: null, baseCurrency: 'USD' });
};

/** Runs the steps one after the other, each by the committer that `by` names, and returns their outcomes. */
export const runOrderSteps = async (
  steps: readonly OrderStep[],
  { parties, by }: { parties: Parties; by: (index: number) => Fixture },
): Promise<string[]> => {
  const orders: string[] = [];
  const outcomes: string[] = [];
  for (const [index, step] of steps.entries()) {
    const [settled] = await Promise.allSettled([submitOrderStep(by(index), step, { parties, orders })]);
    outcomes.push(outcomeOf(settled));
  }
  return outcomes;
};

// Ids and times differ between two runs; everything else must not.
const TABLES: Readonly<Record<string, string>> = {
  orders: 'status, final_status, amount, client_order_ref, version',
  milestones: 'place, ref, amount, status, version',
  reservations: "amount, remaining, locked, version, order_ref = 'ord_unknown' as unknown",
  postings: 'move, amount, balance_after, seq',
  events: 'position, event_type, aggregate_type',
  audit_entries: 'seq, action, resource_type, result',
};

export const comparable = async ({ pool, marketplaceId }: Fixture): Promise<Record<string, string[]>> => {
  const found: Record<string, string[]> = {};
  for (const [table, columns] of Object.entries(TABLES)) {
    const sql = `select row (${columns.replace(/ as \w+/, '')})::text as line from ${table} where marketplace_id = $1`;
    const { rows } = await pool.query<{ line: string }>(sql, [marketplaceId]);
    found[table] = rows.map(({ line }) => line).sort();
  }
  return found;
};
