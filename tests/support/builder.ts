// The fixture builder of all tests: users, orders, disputes, top-ups and withdrawals. Everything is created through the
// API, so no test starts from a state that the product cannot reach.

import assert from 'node:assert/strict';
import { until } from '../../tools/until.ts';
import type { Answer, Ask, NewUser, TestApp } from './app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would, and the assertions are the types
type Any = any;

/** The ids of a buyer and a seller. */
export type Parties = { readonly buyer: string; readonly seller: string };

type Milestone = { readonly ref: string; readonly title: string; readonly amount: string };

export type NewOrder = {
  /** The status that the order is brought to; ORDER_CREATED unless another is given. */
  readonly at?: 'ORDER_CREATED' | 'FUNDS_RESERVED' | 'ESCROW_FUNDING' | 'IN_PROGRESS';
  /** A new buyer with 1000.00 and a new seller unless others are given. */
  readonly between?: Parties;
  readonly amount?: string;
  /** The milestones, or their amounts, or how many there are of equal amounts. */
  readonly milestones?: number | readonly (string | Milestone)[];
  readonly title?: string;
  readonly description?: string;
  readonly currency?: string;
  readonly metadata?: Record<string, unknown>;
  readonly clientOrderRef?: string;
  readonly policy?: string;
};

export type NewDispute = Omit<NewOrder, 'at'> & {
  /** OPEN unless another status is given. A dispute under review is assigned to an agent. */
  readonly at?: 'OPEN' | 'UNDER_REVIEW';
  readonly openedBy?: 'BUYER' | 'SELLER';
  readonly reason?: string;
  readonly evidence?: readonly string[];
};

/** Fields of the body, and the key and the headers of the request. */
export type NewPayment = { readonly userId?: string; readonly body?: object } & Omit<Ask, 'body'>;

const AMOUNT = '100.00';

type As = Pick<Ask, 'key'>;

/** Creates things in the marketplace of the app, or of the given key. */
export const builderOf = (app: TestApp, as: As = {}) => {
  const requests = requestsOf(app, as);
  /** The balance in the base currency unless another is given. */
  const balance = async (userId: string, currency?: string) => {
    const query = currency === undefined ? '' : `?currency=${currency}`;
    const { available, reserved } = await requests.done(`GET /users/${userId}/balance${query}`);
    return { available, reserved };
  };

  return { app, ...requests, ...ordersOf(app, as), ...paymentsOf(app, as), balance };
};

const requestsOf = (app: TestApp, as: As) => {
  /** Sends a request that must have this status. Returns the content of the envelope. */
  const expect = async (request: string, { status, ...ask }: Ask & { status: number }): Promise<Any> => {
    const answer = await app.call(request, { ...as, ...ask });
    assert.equal(answer.status, status, `${request}: ${answer.text}`);
    return contentOf(answer);
  };

  /** Sends a request that must succeed. Returns the content of the envelope. */
  const done = async (request: string, ask: Ask = {}): Promise<Any> => {
    const answer = await app.call(request, { ...as, ...ask });
    assert.ok(answer.status < 300, `${request}: ${answer.status} ${answer.text}`);
    return contentOf(answer);
  };

  return { expect, done };
};

const paymentsOf = (app: TestApp, as: As) => {
  const { expect } = requestsOf(app, as);

  const keyOf = ({ key }: As): As => (key === undefined ? as : { key });

  const aTopup = async ({ userId, body, ...ask }: NewPayment = {}): Promise<Any> => {
    const payer = userId ?? (await app.aUser(keyOf(ask)));
    return expect('POST /topups', { ...ask, body: { userId: payer, amount: '25.50', ...body }, status: 201 });
  };

  /** A user who can withdraw: with an e-mail address and 100.00 unless another amount is given. */
  const aPayee = (wanted: NewUser = {}): Promise<string> =>
    app.aUser({ ...as, available: '100.00', hasEmail: true, ...wanted });

  const aWithdrawal = async ({ userId, body, ...ask }: NewPayment = {}): Promise<Any> => {
    const payee = userId ?? (await aPayee(keyOf(ask)));
    const fields = { userId: payee, amount: '25.50', currency: 'USD', destination: { type: 'bank' }, ...body };
    return expect('POST /withdrawals', { ...ask, body: fields, status: 201 });
  };

  return { aTopup, aPayee, aWithdrawal };
};

const ordersOf = (app: TestApp, as: As) => {
  const { expect, done } = requestsOf(app, as);

  const parties = async (available = '1000.00'): Promise<Parties> => {
    const [buyer, seller] = await Promise.all([app.aUser({ ...as, available }), app.aUser(as)]);
    return { buyer, seller };
  };

  const get = (orderId: string): Promise<Any> => done(`GET /orders/${orderId}`);

  /** Sends a request that starts an operation. On a busy machine the request may time out: then waits for the operation. */
  const carryOut = async (request: string, { id, status }: { id: string; status: string }): Promise<Any> => {
    const answer = await app.call(request, as);
    if (answer.status !== 504) {
      assert.equal(answer.status, 201, `${request}: ${answer.text}`);
      return contentOf(answer);
    }
    await until(async () => (await get(id)).operation === null, `the end of ${request}`);
    const order = await get(id);
    // While a wallet is being activated nothing has begun.
    if (order.status !== status && answer.body.error.details.operation === undefined)
      return carryOut(request, { id, status });
    assert.equal(order.status, status, request);
    return order;
  };

  const anOrder = async (wanted: NewOrder = {}): Promise<Any> => {
    const { at = 'ORDER_CREATED', between, milestones, ...fields } = wanted;
    const { buyer, seller } = between ?? (await parties());
    const amount = fields.amount ?? AMOUNT;
    const body = {
      buyerId: buyer,
      sellerId: seller,
      ...fields,
      amount,
      ...(milestones === undefined ? {} : { milestones: milestonesOf(milestones, amount) }),
    };
    const created = await expect('POST /orders', { body, status: 201 });
    const { id } = created;
    if (at === 'ORDER_CREATED') return created;
    const reserved = await expect(`POST /orders/${id}/reserve`, { status: 201 });
    if (at === 'FUNDS_RESERVED') return reserved;
    const withEscrow = await carryOut(`POST /orders/${id}/escrow`, { id, status: 'ESCROW_FUNDING' });
    if (at === 'ESCROW_FUNDING') return withEscrow;
    return carryOut(`POST /orders/${id}/escrow/fund`, { id, status: 'IN_PROGRESS' });
  };

  /** A dispute about a new order. */
  const aDispute = async (wanted: NewDispute = {}): Promise<Any> => {
    const { at = 'OPEN', openedBy = 'BUYER', reason = 'NOT_DELIVERED', evidence, ...order } = wanted;
    const { id: orderId } = await anOrder({ ...order, at: 'IN_PROGRESS' });
    const body = { orderId, openedBy, reason, ...(evidence === undefined ? {} : { evidence }) };
    const dispute = await expect(`POST /orders/${orderId}/resolution/dispute`, { body, status: 201 });
    if (at === 'OPEN') return dispute;
    return expect(`POST /disputes/${dispute.id}/assign`, { body: { assignedTo: 'agent-7' }, status: 200 });
  };

  const completeAll = async (order: Any): Promise<void> => {
    for (const { ref } of order.milestones) {
      await expect(`POST /orders/${order.id}/milestones/${ref}/complete`, { status: 201 });
    }
  };

  return { parties, anOrder, aDispute, completeAll, get };
};

/** An order, a dispute or a page has an envelope inside the envelope. */
const contentOf = ({ body }: Answer): Any => body?.data?.data ?? body?.data ?? body;

const milestonesOf = (wanted: NonNullable<NewOrder['milestones']>, amount: string): Milestone[] => {
  const parts = typeof wanted === 'number' ? equalParts(amount, wanted) : wanted;
  return parts.map((part, index) =>
    typeof part === 'string' ? { ref: `m${index + 1}`, title: `Part ${index + 1}`, amount: part } : part,
  );
};

/** Equal amounts in cents; the last one has the rest. */
const equalParts = (amount: string, count: number): string[] => {
  const cents = Math.round(Number(amount) * 100);
  const part = Math.floor(cents / count);
  return Array.from({ length: count }, (_, index) => {
    const own = index === count - 1 ? cents - part * (count - 1) : part;
    return (own / 100).toFixed(2);
  });
};
