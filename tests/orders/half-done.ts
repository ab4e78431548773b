// Settlements that fail in the middle, followed by another request: the same settlement, or the opposite. The server keeps the
// steps that are already on the ledger, the contract ends empty, and each side gets what the last request decided.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { WebhookFixture } from '../contract/webhook-escrow-fixture.ts';
import { codeOf } from '../support/app.ts';
import type { Parties } from '../support/builder.ts';
import { type OrderFixture, openSharedOrders } from '../support/order-fixture.ts';

type Goal = 'release' | 'refund' | 'split' | 'full-release' | 'full-refund';

/** The call at which a settlement fails: its name, and its number among the calls with this name. */
type Break = readonly [call: string, nth: number];

/** Each settlement of `broken` is requested and fails; `last` succeeds. */
type Course = { readonly broken: readonly (readonly [Goal, Break])[]; readonly last: Goal };

/** `few` are for `npm test`; the long tests run all. */
type Table = {
  readonly milestones: readonly string[];
  readonly few: readonly Course[];
  readonly more: readonly Course[];
};

export const SINGLE: Table = {
  milestones: ['100.00'],
  few: [{ broken: [['release', ['release', 1]]], last: 'refund' }],
  more: [
    { broken: [['split', ['resolve', 1]]], last: 'full-release' },
    { broken: [['release', ['approve', 1]]], last: 'release' },
    { broken: [['release', ['approve', 1]]], last: 'refund' },
    { broken: [['refund', ['resolve', 1]]], last: 'refund' },
    { broken: [['refund', ['resolve', 1]]], last: 'release' },
    {
      broken: [
        ['release', ['release', 1]],
        ['refund', ['resolve', 1]],
      ],
      last: 'release',
    },
    { broken: [['full-release', ['resolve', 1]]], last: 'full-refund' },
    { broken: [['release', ['approve', 1]]], last: 'split' },
  ],
};

export const MULTI: Table = {
  milestones: ['30.00', '70.00'],
  few: [
    {
      broken: [
        ['refund', ['resolve', 1]],
        ['release', ['resolve', 1]],
        // The first dispute call of this attempt is for the second milestone: the first one is in dispute already.
        ['refund', ['dispute', 1]],
      ],
      last: 'release',
    },
  ],
  more: [
    { broken: [['release', ['change-status', 2]]], last: 'release' },
    { broken: [['release', ['approve', 2]]], last: 'split' },
    { broken: [['full-refund', ['resolve', 2]]], last: 'full-release' },
    { broken: [['release', ['release', 1]]], last: 'release' },
    { broken: [['release', ['release', 1]]], last: 'refund' },
    { broken: [['release', ['change-status', 2]]], last: 'refund' },
    { broken: [['release', ['release', 2]]], last: 'refund' },
    { broken: [['refund', ['resolve', 1]]], last: 'release' },
    { broken: [['refund', ['dispute', 2]]], last: 'refund' },
    { broken: [['refund', ['dispute', 2]]], last: 'release' },
    { broken: [['refund', ['resolve', 2]]], last: 'release' },
    { broken: [['split', ['resolve', 2]]], last: 'split' },
    { broken: [['split', ['dispute', 2]]], last: 'full-refund' },
  ],
};

/** The expected end of an order of 100.00 with the usual fee of 5 %. */
const ENDS: Readonly<Record<Goal, { final: string; buyer: string; seller: string; paid: readonly string[] }>> = {
  release: { final: 'RELEASED', buyer: '900.00', seller: '95.00', paid: ['order.released'] },
  refund: { final: 'REFUNDED', buyer: '1000.00', seller: '0.00', paid: ['order.refunded'] },
  'full-release': { final: 'RELEASED', buyer: '900.00', seller: '95.00', paid: ['order.released'] },
  'full-refund': { final: 'REFUNDED', buyer: '1000.00', seller: '0.00', paid: ['order.refunded'] },
  split: { final: 'SPLIT', buyer: '920.00', seller: '76.00', paid: ['order.released', 'order.refunded'] },
};

const DECISIONS: Readonly<Partial<Record<Goal, object>>> = {
  split: { decision: 'SPLIT', releaseAmount: '80.00', refundAmount: '20.00' },
  'full-release': { decision: 'FULL_RELEASE' },
  'full-refund': { decision: 'FULL_REFUND' },
};

const ask = async ({ app, get, expect }: OrderFixture, { orderId, goal }: { orderId: string; goal: Goal }) => {
  const decision = DECISIONS[goal];
  if (!decision) return app.call(`POST /orders/${orderId}/resolution/${goal}`, { body: { reason: 'so it is' } });
  const { dispute } = await get(orderId);
  const opened = { orderId, openedBy: 'BUYER', reason: 'OTHER' };
  const { id } = dispute ?? (await expect(`POST /orders/${orderId}/resolution/dispute`, { body: opened, status: 201 }));
  if (!dispute) await expect(`POST /disputes/${id}/assign`, { body: { assignedTo: 'agent-3' }, status: 200 });
  return app.call(`POST /disputes/${id}/resolve`, { body: decision });
};

/** Arms a refusal for this call. A fault that changes nothing is consumed by the calls before it, which therefore succeed. */
const breakAt = async ({ fault }: OrderFixture, { match, at }: { match: string; at: Break }): Promise<void> => {
  const [call, nth] = at;
  if (nth > 1) await fault(call, 'slow', { match, delayMs: 1, count: nth - 1 });
  await fault(call, 'refusal', { match });
};

type Planned = Course & Pick<Table, 'milestones'>;

const runCase = async (fixture: OrderFixture, { broken, last, milestones }: Planned): Promise<void> => {
  const who: Parties = await fixture.parties();
  const order = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, milestones });
  await fixture.completeAll(order);
  for (const [goal, at] of broken) {
    await breakAt(fixture, { match: order.id, at });
    assert.equal(codeOf(await ask(fixture, { orderId: order.id, goal })), '500 INTERNAL_ERROR');
    const { status, operation } = await fixture.get(order.id);
    assert.deepEqual([status, operation], [DECISIONS[goal] ? 'DISPUTED' : 'IN_PROGRESS', null]);
    assert.deepEqual(await fixture.balance(who.seller), { available: '0.00', reserved: '0.00' });
  }
  const answer = await ask(fixture, { orderId: order.id, goal: last });
  assert.equal(answer.status, 200, answer.text);
  const { final, buyer, seller, paid } = ENDS[last];
  const ended = await fixture.get(order.id);
  assert.deepEqual([ended.status, ended.finalStatus], ['CLOSED', final]);
  assert.deepEqual(await fixture.balance(who.buyer), { available: buyer, reserved: '0.00' });
  assert.deepEqual(await fixture.balance(who.seller), { available: seller, reserved: '0.00' });
  assert.equal((await fixture.contractOf(ended)).balance, 0, 'nothing is left in the contract');
  const payouts = (await fixture.eventsOf(order.id)).filter((type) => /^order\.(released|refunded|closed)$/.test(type));
  assert.deepEqual(payouts, [...paid, 'order.closed']);
};

const nameOf = ({ broken, last }: Course): string => {
  const tried = broken.map(([goal, [call, nth]]) => `a ${goal} that fails at ${call} ${nth}`);
  return `${tried.join(', then ')}, then a ${last}`;
};

/** Runs each case with its own order. Returns the faults that did not happen. */
export const runCases = async (
  t: TestContext,
  { courses, milestones }: { courses: readonly Course[]; milestones: readonly string[] },
): Promise<unknown[]> => {
  const fixture = await openSharedOrders(t);
  await Promise.all(courses.map((course) => t.test(nameOf(course), () => runCase(fixture, { ...course, milestones }))));
  await fixture.assertSound();
  return fixture.unmetFaults();
};

type OneWay = { readonly to: 'seller' | 'buyer'; readonly milestones?: readonly string[] };

/** Splits a disputed order of 100.00 so that one side gets all of it. Returns the balances of buyer and seller. */
export const splitOneWay = async (fixture: OrderFixture, { to, ...parts }: OneWay): Promise<string[]> => {
  const who = await fixture.parties();
  const { id, orderId } = await fixture.aDispute({ at: 'UNDER_REVIEW', between: who, ...parts });
  const [releaseAmount, refundAmount] = to === 'seller' ? ['100.00', '0.00'] : ['0.00', '100.00'];
  const body = { decision: 'SPLIT', releaseAmount, refundAmount };
  const dispute = await fixture.expect(`POST /disputes/${id}/resolve`, { body, status: 200 });
  assert.deepEqual([dispute.status, dispute.order.finalStatus], ['RESOLVED', 'SPLIT']);
  assert.equal((await fixture.contractOf(await fixture.get(orderId))).balance, 0);
  return [(await fixture.balance(who.buyer)).available, (await fixture.balance(who.seller)).available];
};

type ReadFault = { readonly fault: string; readonly delayMs?: number };

/**
 * A release whose first calls the parties have made without the server, which reads them from the ledger. Returns the answer to
 * the release, and what the seller has when the order is closed.
 */
export const releaseKnownElsewhere = async (
  fixture: WebhookFixture,
  { fault, ...more }: ReadFault,
): Promise<{ status: number; seller: string }> => {
  const who = await fixture.parties();
  const { id } = await fixture.anOrder({ at: 'IN_PROGRESS', between: who });
  await fixture.act(id, 'seller', { kind: 'change-status', milestone: 0, status: 'done' });
  await fixture.act(id, 'buyer', { kind: 'approve', milestone: 0 });
  await fixture.fault('get-escrow', fault, { match: id, count: 10_000, ...more });
  const answer = await fixture.app.call(`POST /orders/${id}/resolution/release`);
  const order = await fixture.untilStatus(id, 'CLOSED');
  assert.equal(order.finalStatus, 'RELEASED');
  assert.equal((await fixture.contractOf(order)).balance, 0);
  await fixture.simulator('DELETE /faults');
  return { status: answer.status, seller: (await fixture.balance(who.seller)).available };
};
