// Brings one order to a phase, arms a fault there, and checks the phase to its end: the answer of the request, what was undone,
// the result of the automatic retry or of a second request, and that everything happened once.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { until } from '../../tools/until.ts';
import { type Answer, codeOf } from '../support/app.ts';
import type { Parties } from '../support/builder.ts';
import { type OrderFixture, openOrders } from '../support/order-fixture.ts';
import { type Phase, type Reply, type Row, SCRIPTS, TIMEOUT_MS } from './fault-table.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
type Any = any;

type Course = {
  /** Creates an order that is ready for this phase. */
  begin(fixture: OrderFixture, who: Parties): Promise<Any>;
  /** Requests the phase; used again after a refusal. */
  ask(fixture: OrderFixture, orderId: string): Promise<Answer>;
  readonly kind: string;
  readonly success: number;
  /** Order, escrow, and the balances of buyer and seller, of an order of 100.00 with the usual fee of 5 %. */
  readonly end: readonly [order: string, escrow: string, buyer: string, seller: string];
  readonly inContract: number;
  readonly asked: readonly string[];
  readonly ended: readonly string[];
  readonly refusal: {
    readonly code: string;
    readonly audit: string;
    readonly order: string;
    readonly escrow: string | null;
    readonly buyer: string;
    /** Events of the second attempt before it repeats the refused request. */
    readonly again: readonly string[];
  };
};

const RESERVED = '900.00 + 100.00';
const CREATED = ['escrow.created', 'order.escrow_funding'];

const COURSES: Readonly<Record<Phase, Course>> = {
  create: {
    begin: ({ anOrder }, who) => anOrder({ at: 'FUNDS_RESERVED', between: who }),
    ask: ({ app }, id) => app.call(`POST /orders/${id}/escrow`),
    kind: 'create-escrow',
    success: 201,
    end: ['ESCROW_FUNDING', 'CREATED', RESERVED, '0.00 + 0.00'],
    inContract: 0,
    asked: ['order.escrow_creating'],
    ended: CREATED,
    refusal: {
      code: '500 INTERNAL_ERROR',
      audit: 'ESCROW_CREATE_FAILED',
      order: 'FUNDS_RESERVED',
      escrow: null,
      buyer: RESERVED,
      again: [],
    },
  },
  fund: {
    begin: ({ anOrder }, who) => anOrder({ at: 'ESCROW_FUNDING', between: who }),
    ask: ({ app }, id) => app.call(`POST /orders/${id}/escrow/fund`),
    kind: 'fund-escrow',
    success: 201,
    end: ['IN_PROGRESS', 'FUNDED', '900.00 + 0.00', '0.00 + 0.00'],
    inContract: 100,
    asked: ['escrow.funding_started'],
    ended: ['balance.released', 'escrow.funded', 'order.escrow_funded', 'order.in_progress'],
    refusal: {
      code: '400 ESCROW_FUNDING_FAILED',
      audit: 'ESCROW_FUNDING_FAILED',
      order: 'FUNDS_RESERVED',
      escrow: null,
      buyer: RESERVED,
      again: ['order.escrow_creating', ...CREATED],
    },
  },
  release: {
    begin: ({ anOrder }, who) => anOrder({ at: 'IN_PROGRESS', between: who }),
    ask: ({ app }, id) => app.call(`POST /orders/${id}/resolution/release`),
    kind: 'release',
    success: 200,
    end: ['CLOSED', 'RELEASED', '900.00 + 0.00', '95.00 + 0.00'],
    inContract: 0,
    asked: ['order.release_requested'],
    ended: ['escrow.released', 'balance.credited', 'order.released', 'order.closed'],
    refusal: {
      code: '500 INTERNAL_ERROR',
      audit: 'RELEASE_FAILED',
      order: 'IN_PROGRESS',
      escrow: 'FUNDED',
      buyer: '900.00 + 0.00',
      again: [],
    },
  },
  refund: {
    begin: ({ anOrder }, who) => anOrder({ at: 'IN_PROGRESS', between: who }),
    ask: ({ app }, id) => app.call(`POST /orders/${id}/resolution/refund`, { body: { reason: 'never came' } }),
    kind: 'refund',
    success: 200,
    end: ['CLOSED', 'REFUNDED', '1000.00 + 0.00', '0.00 + 0.00'],
    inContract: 0,
    asked: ['order.refund_requested'],
    ended: ['escrow.refunded', 'balance.credited', 'order.refunded', 'order.closed'],
    refusal: {
      code: '500 INTERNAL_ERROR',
      audit: 'REFUND_FAILED',
      order: 'IN_PROGRESS',
      escrow: 'FUNDED',
      buyer: '900.00 + 0.00',
      again: [],
    },
  },
  resolve: {
    begin: async ({ aDispute, get }, who) => get((await aDispute({ at: 'UNDER_REVIEW', between: who })).orderId),
    async ask({ app, get }, id) {
      const body = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' };
      return app.call(`POST /disputes/${(await get(id)).dispute.id}/resolve`, { body });
    },
    kind: 'resolve-dispute',
    success: 200,
    end: ['CLOSED', 'RELEASED', '940.00 + 0.00', '57.00 + 0.00'],
    inContract: 0,
    asked: [],
    ended: [
      'escrow.released',
      'balance.credited',
      'order.released',
      'balance.credited',
      'order.refunded',
      'order.closed',
      'dispute.resolved',
    ],
    refusal: {
      code: '500 INTERNAL_ERROR',
      audit: 'DISPUTE_RESOLUTION_FAILED',
      order: 'DISPUTED',
      escrow: 'DISPUTED',
      buyer: '900.00 + 0.00',
      again: [],
    },
  },
};

const shown = async (fixture: OrderFixture, userId: string): Promise<string> => {
  const { available, reserved } = await fixture.balance(userId);
  return `${available} + ${reserved}`;
};

type FaultCase = {
  readonly fixture: OrderFixture;
  readonly who: Parties;
  readonly order: Any;
  readonly course: Course;
};

const assertUndone = async ({ fixture, who, order, course }: FaultCase, answer: Answer): Promise<void> => {
  const { refusal, kind } = course;
  assert.equal(codeOf(answer), refusal.code, answer.text);
  const { operation, reason } = answer.body.error.details;
  assert.deepEqual([operation.kind, operation.state], [kind, 'FAILED']);
  assert.ok(reason.length > 5);
  const now = await fixture.get(order.id);
  assert.deepEqual([now.status, now.escrow?.status ?? null, now.operation], [refusal.order, refusal.escrow, null]);
  if (now.dispute) assert.equal(now.dispute.status, 'UNDER_REVIEW');
  assert.equal(await shown(fixture, who.buyer), refusal.buyer);
  assert.equal(await shown(fixture, who.seller), '0.00 + 0.00');
  const path = `GET /audit/logs?resourceId=${order.id}&action=${refusal.audit}`;
  const logs = await fixture.expect(path, { status: 200 });
  assert.deepEqual([logs.length, logs[0].result], [1, 'FAILURE']);
};

const askAgain = async ({ fixture, order, course }: FaultCase): Promise<void> => {
  if (course === COURSES.fund) {
    const { escrow } = await fixture.expect(`POST /orders/${order.id}/escrow`, { status: 201 });
    assert.equal(escrow.providerContractId, order.escrow.providerContractId, 'the same contract is used again');
  }
  const answer = await course.ask(fixture, order.id);
  assert.equal(answer.status, course.success, answer.text);
};

/** After the answer only the server continues the phase. Only a refused phase is requested again. */
const AFTER: Readonly<Record<Reply, (faultCase: FaultCase, answer: Answer) => Promise<void>>> = {
  async done({ course }, answer) {
    assert.equal(answer.status, course.success, answer.text);
  },
  async unknown({ fixture, order, course }, answer) {
    assert.equal(codeOf(answer), '504 PROVIDER_TIMEOUT', answer.text);
    const { kind, state, id } = answer.body.error.details.operation;
    assert.deepEqual([kind, state], [course.kind, 'RUNNING']);
    await until(async () => {
      const [row] = await fixture.app.sql('select state from operations where id = $1', [id]);
      return row.state === 'DONE';
    }, `the ${kind} of ${order.id} is done`);
  },
  async refused(faultCase, answer) {
    await assertUndone(faultCase, answer);
    await askAgain(faultCase);
  },
  async unnamed({ fixture, order, course }, answer) {
    assert.equal(answer.status, course.success, answer.text);
    const { status, escrow } = answer.body.data.data;
    assert.deepEqual([status, escrow.status, escrow.providerContractId], ['ESCROW_CREATING', 'CREATING', null]);
    await until(async () => (await fixture.get(order.id)).status === 'ESCROW_FUNDING', 'the contract is found');
  },
};

const eventsFor = ({ asked, ended, refusal }: Course, reply: Reply): string[] =>
  reply === 'refused' ? [...asked, ...refusal.again, ...asked, ...ended] : [...asked, ...ended];

const assertEnded = async ({ fixture, who, order, course }: FaultCase): Promise<void> => {
  const now = await fixture.get(order.id);
  const buyer = await shown(fixture, who.buyer);
  const seller = await shown(fixture, who.seller);
  assert.deepEqual([now.status, now.escrow.status, buyer, seller], course.end);
  assert.equal(now.operation, null);
  const contracts = (await fixture.simulator('GET /state')).contracts as Any[];
  const own = contracts.filter(({ engagementId }) => engagementId === order.id);
  assert.deepEqual(
    own.map(({ contractId, balance }) => [contractId, balance]),
    [[now.escrow.providerContractId, course.inContract]],
    'the order has one contract',
  );
};

/** The `match` of a fault, so that it affects only this order. A read of a transaction contains nothing of an order. */
const targetOf = async (operation: string, { fixture, who, order }: FaultCase): Promise<object> => {
  if (operation === 'transaction-get') return {};
  return { match: operation === 'account' || operation === 'payment' ? await fixture.addressOf(who.buyer) : order.id };
};

/** A wallet gets its network fees when it first signs: here for an order that changes no balance in the end. */
const payFeesOfSeller = async ({ anOrder, expect }: OrderFixture, who: Parties): Promise<void> => {
  const { id } = await anOrder({ at: 'IN_PROGRESS', between: who });
  await expect(`POST /orders/${id}/resolution/release`, { status: 200 });
  await expect(`POST /users/${who.buyer}/balance/credit`, { body: { amount: '100.00' }, status: 200 });
  await expect(`POST /users/${who.seller}/balance/debit`, { body: { amount: '95.00' }, status: 200 });
};

/** Activates and funds the wallets first, so that the fault affects a read of the order's own transaction. */
const prepareWallets = async (fixture: OrderFixture, { who, phase }: { who: Parties; phase: Phase }): Promise<void> => {
  await Promise.all([fixture.addressOf(who.buyer), fixture.addressOf(who.seller)]);
  if (phase === 'release') return payFeesOfSeller(fixture, who);
  if (phase !== 'create' && phase !== 'fund') return;
  const { id } = await fixture.anOrder({ at: 'IN_PROGRESS', between: who, amount: '500.00' });
  await fixture.expect(`POST /orders/${id}/resolution/refund`, { body: { reason: 'another time' }, status: 200 });
};

/** Arms the fault of the row and runs a new order through the phase. */
const meetFault = async (fixture: OrderFixture, [phase, operation, trouble, reply]: Row): Promise<void> => {
  const course = COURSES[phase];
  const who = await fixture.parties();
  if (operation === 'transaction-get') await prepareWallets(fixture, { who, phase });
  const order = await course.begin(fixture, who);
  const before = await fixture.eventsOf(order.id);
  const faultCase = { fixture, who, order, course };
  const target = await targetOf(operation, faultCase);
  // The server would also read transactions that are still pending.
  if (operation === 'transaction-get') await fixture.atRest();
  await fixture.simulator('POST /faults', { operation, ...SCRIPTS[trouble], ...target });
  // The server searches for an escrow at the provider only when the deployment named no contract.
  if (operation === 'get-escrow') await fixture.fault('deploy', 'no-contract-id', target);
  await AFTER[reply](faultCase, await course.ask(fixture, order.id));
  await assertEnded(faultCase);
  assert.deepEqual((await fixture.eventsOf(order.id)).slice(before.length), eventsFor(course, reply));
};

const JOBS = `select count(*)::int as open from pgboss.job where name in ('reconcile', 'poll-escrows', 'resume-transactions') and state < 'completed'`;

/** A separate server with short timeouts, on which no other test reads the wallets. */
export const openFaultFixture = async (t: TestContext): Promise<OrderFixture> => {
  const env = { PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS), DEPOSIT_POLL_S: '3600' };
  const fixture = await openOrders(t, { env });
  // The jobs at startup read accounts, escrows and transactions too: they would consume the fault that is meant for an order.
  await until(async () => (await fixture.app.sql(JOBS))[0].open === 0, 'the jobs at startup have ended');
  return fixture;
};

/**
 * Runs each row with its own order and compares the books with the ledger at the end. Returns the faults that did not
 * happen.
 */
export const meetRows = async (
  t: TestContext,
  { fixture, rows }: { fixture: OrderFixture; rows: readonly Row[] },
): Promise<Any[]> => {
  await Promise.all(
    rows.map((row) => {
      const [phase, operation, trouble, reply] = row;
      return t.test(`${phase}: ${operation} with ${trouble}: ${reply}`, () => meetFault(fixture, row));
    }),
  );
  await fixture.assertSound();
  return fixture.unmetFaults();
};

/** The same on its own server. */
export const meetAll = async (t: TestContext, rows: readonly Row[]): Promise<Any[]> =>
  meetRows(t, { fixture: await openFaultFixture(t), rows });
