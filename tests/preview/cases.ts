// Random requests about a small marketplace, good and bad ones in every state. Each is chosen from numbers, so that a failed run can be
// repeated and made smaller.

import fc from 'fast-check';
import type { Ask } from '../support/app.ts';
import type { OrderFixture } from '../support/order-fixture.ts';
import { compare } from './compare.ts';

/** Numbers between 0 and 1 that decide what a step does. */
export type Step = { readonly what: number; readonly which: number; readonly how: number; readonly amount: number };

/** Without the usual preference for small numbers, which would make most steps credits. */
const unit = fc.noBias(fc.integer({ min: 0, max: 999_999 })).map((number) => number / 1_000_000);

export const stepsOf = (size: { minLength: number; maxLength: number }) =>
  fc.array(fc.record({ what: unit, which: unit, how: unit, amount: unit }), size);

/** What the steps of one run have made so far. */
type World = {
  readonly users: string[];
  readonly orders: string[];
  readonly disputes: string[];
  readonly topups: string[];
  readonly withdrawals: string[];
};

type Request = { readonly request: string; readonly ask?: Ask; kept?(world: World, id: string): void };

const pick = <T>(items: readonly T[], number: number): T => items[Math.floor(number * items.length)]!;

/** Also amounts that no balance has, with too many places, of zero, and that are no numbers. */
const amountOf = (number: number): string => {
  if (number > 0.97) return pick(['0.00', '1.001', '-5.00', 'ten', '1e3', '99999999.00'], (number - 0.97) / 0.03);
  return (Math.floor(number * 12_000) / 100 + 0.01).toFixed(2);
};

const UNKNOWN = {
  user: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  order: 'ord_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  dispute: 'dsp_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  topup: 'top_01ARZ3NDEKTSV4RRFFQ69G5FAV',
  withdrawal: 'wdr_01ARZ3NDEKTSV4RRFFQ69G5FAV',
};

/** Among few records, so that many of them come to an end. */
const RECENT = 4;

const one = (items: readonly string[], { unknown, number }: { unknown: string; number: number }): string =>
  items.length === 0 || number > 0.98 ? unknown : pick(items.slice(-RECENT), number / 0.98);

const ofBalance =
  (path: string, more: (step: Step) => object = () => ({})) =>
  ({ users }: World, step: Step): Request => ({
    request: `POST /users/${one(users, { unknown: UNKNOWN.user, number: step.which })}/balance/${path}`,
    ask: { body: { amount: amountOf(step.amount), ...more(step) } },
  });

const withOrder = ({ how }: Step): object => (how < 0.5 ? {} : { orderId: pick(['a', 'b'], how * 2 - 1) });

const newOrder = ({ users }: World, { which, how, amount }: Step): Request => {
  const buyerId = pick(users, which);
  const sellerId = pick(users, how);
  const whole = amountOf(amount);
  const cents = Math.round(Number(whole) * 100);
  const first = Math.max(1, Math.floor(cents * how));
  const parts = [first, cents - first].map((part, index) => ({
    ref: `m${index}`,
    title: `Part ${index}`,
    amount: (part / 100).toFixed(2),
  }));
  const milestones =
    how < 0.4 || !(cents > 1) ? {} : { milestones: how < 0.6 ? [{ ...parts[0]!, amount: whole }] : parts };
  const metadata = which < 0.5 ? {} : { metadata: { platformFee: Math.floor(how * 1_000) / 100 } };
  return {
    request: 'POST /orders',
    ask: { body: { buyerId, sellerId, amount: whole, ...milestones, ...metadata } },
    kept: ({ orders }, id) => orders.push(id),
  };
};

const ofOrder =
  (path: string, body?: (step: Step) => object) =>
  ({ orders }: World, step: Step): Request => ({
    request: `POST /orders/${one(orders, { unknown: UNKNOWN.order, number: step.which })}/${path}`,
    ...(body ? { ask: { body: body(step) } } : {}),
  });

const openDispute = (world: World, step: Step): Request => ({
  ...ofOrder('resolution/dispute', ({ how }) => ({
    orderId: UNKNOWN.order,
    openedBy: how < 0.5 ? 'BUYER' : 'SELLER',
    reason: 'NOT_DELIVERED',
  }))(world, step),
  kept: ({ disputes }, id) => disputes.push(id),
});

const openMilestoneDispute = (world: World, step: Step): Request => ({
  ...ofOrder('milestones/m0/dispute', () => ({ openedBy: 'BUYER', reason: 'NOT_DELIVERED' }))(world, step),
  kept: ({ disputes }, id) => disputes.push(id),
});

const resolve = ({ disputes }: World, { which, how, amount }: Step): Request => {
  const seller = Math.floor(amount * 12_000) / 100;
  const decision = pick(['FULL_RELEASE', 'FULL_REFUND', 'SPLIT'], how);
  const split = { releaseAmount: seller.toFixed(2), refundAmount: amountOf(how) };
  return {
    request: `POST /disputes/${one(disputes, { unknown: UNKNOWN.dispute, number: which })}/resolve`,
    ask: { body: { decision, ...(decision === 'SPLIT' ? split : {}) } },
  };
};

const assign = ({ disputes }: World, { which }: Step): Request => ({
  request: `POST /disputes/${one(disputes, { unknown: UNKNOWN.dispute, number: which })}/assign`,
  ask: { body: { assignedTo: 'agent-7' } },
});

const newTopUp = ({ users }: World, { which, amount }: Step): Request => ({
  request: 'POST /topups',
  ask: { body: { userId: one(users, { unknown: UNKNOWN.user, number: which }), amount: amountOf(amount) } },
  kept: ({ topups }, id) => topups.push(id),
});

const cancelTopUp = ({ topups }: World, { which }: Step): Request => ({
  request: `POST /topups/${one(topups, { unknown: UNKNOWN.topup, number: which })}/cancel`,
  ask: { body: {} },
});

const newWithdrawal = ({ users }: World, { which, how, amount }: Step): Request => ({
  request: 'POST /withdrawals',
  ask: {
    body: {
      userId: one(users, { unknown: UNKNOWN.user, number: which }),
      amount: amountOf(amount),
      currency: how < 0.9 ? 'USD' : 'XLM',
      destination: { type: 'bank' },
    },
  },
  kept: ({ withdrawals }, id) => withdrawals.push(id),
});

const commitWithdrawal = ({ withdrawals }: World, { which }: Step): Request => ({
  request: `POST /withdrawals/${one(withdrawals, { unknown: UNKNOWN.withdrawal, number: which })}/commit`,
});

const newUser = (_: World, { which, how }: Step): Request => ({
  request: 'POST /users',
  ask: { body: { externalUserId: `person-${Math.floor(which * 20)}`, ...(how < 0.5 ? {} : { email: 'a@b.example' }) } },
});

const changeUser = ({ users }: World, { which, how }: Step): Request => ({
  // The last user alone, so that not every request is refused because its user is suspended.
  request: `POST /users/${which < 0.5 ? users.at(-1) : UNKNOWN.user}/${how < 0.4 ? 'suspend' : 'reactivate'}`,
  ask: { body: {} },
});

/** Each with its weight. */
const KINDS: readonly (readonly [number, (world: World, step: Step) => Request])[] = [
  [10, ofBalance('credit')],
  [10, ofBalance('debit')],
  [8, ofBalance('reserve', withOrder)],
  [5, ofBalance('release', withOrder)],
  [5, ofBalance('deduct-reserved', withOrder)],
  [14, newOrder],
  [14, ofOrder('reserve')],
  [6, ofOrder('cancel', () => ({}))],
  [7, ofOrder('escrow')],
  [7, ofOrder('escrow/fund')],
  [5, ofOrder('milestones/m0/complete')],
  [4, ofOrder('milestones/m1/complete')],
  [4, ofOrder('milestones/m0/release', () => ({}))],
  [2, ofOrder('milestones/m1/release', () => ({}))],
  [2, ofOrder('milestones/m1/refund', () => ({ reason: 'no' }))],
  [1, openMilestoneDispute],
  [5, ofOrder('resolution/release', () => ({ reason: 'done' }))],
  [4, ofOrder('resolution/refund', () => ({ reason: 'no' }))],
  [3, openDispute],
  [4, assign],
  [5, resolve],
  [5, newTopUp],
  [3, cancelTopUp],
  [7, newWithdrawal],
  [5, commitWithdrawal],
  [3, newUser],
  [2, changeUser],
];

const TOTAL = KINDS.reduce((sum, [weight]) => sum + weight, 0);

const kindOf = (number: number) => {
  let left = number * TOTAL;
  for (const [weight, kind] of KINDS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return KINDS[0]![1];
};

/** How many requests were compared, by their answer. */
export type Counts = { done: number; refused: number; operations: number };

export const newWorld = async ({ app }: OrderFixture): Promise<World> => ({
  users: await Promise.all(['300.00', '50.00', '1000.00'].map((available) => app.aUser({ available, hasEmail: true }))),
  orders: [],
  disputes: [],
  topups: [],
  withdrawals: [],
});

const OPERATION = /\/(escrow|fund|resolution\/re\w+|resolve|commit|topups|cancel)$/;

export const runStep = async (
  fixture: OrderFixture,
  { world, step, counts }: { world: World; step: Step; counts: Counts },
) => {
  const { request, ask = {}, kept } = kindOf(step.what)(world, step);
  const { real } = await compare(fixture.app, request, ask);
  if (real.status >= 400) {
    counts.refused++;
    return;
  }
  counts.done++;
  if (OPERATION.test(request)) counts.operations++;
  const { data } = real.body;
  kept?.(world, (data.data ?? data).id);
};
