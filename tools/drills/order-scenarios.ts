// Orders from their creation to their end: the worker of an order requests the next step until the order itself
// says that it is closed, whatever an answer was.

import { randomUUID } from 'node:crypto';
import { type Holdfast, HoldfastError, type Order } from '@holdfast/sdk';
import { forSeconds } from './stage.ts';

const ORDER_AMOUNT = '10.00';
export const ORDER_CENTS = 1_000n;
/** Less the platform's 5 percent. */
export const SELLER_CENTS = 950n;
export const AGAIN_S = 0.1;

/** What callers were told instead of what they wanted, by code. */
export type Refusals = Map<string, number>;

export type OrderLife = {
  readonly orderId: string;
  order: Order;
  readonly refusals: Refusals;
  /** The drill has ended before the order: no server will answer any more. */
  readonly isOver?: () => boolean;
};

/** Ends a worker that would otherwise repeat its request for ever. */
export const refuseAfterEnd = (isOver: (() => boolean) | undefined): void => {
  if (isOver?.()) throw new Error('the drill is over');
};

/** A 500 is told with its words: it may be a mistake. */
export const noteRefusal = (refusals: Refusals, error: HoldfastError): void => {
  const told = error.status === 500 ? `${error.code} (${error.message})` : error.code;
  refusals.set(told, (refusals.get(told) ?? 0) + 1);
};

export const showRefusals = (refusals: Refusals): string =>
  [...refusals].map(([code, count]) => `${count} ${code}`).join(', ') || 'nothing';

export const mistakesIn = (refusals: Refusals): string[] =>
  [...refusals.keys()].filter((code) => code.startsWith('INTERNAL_ERROR'));

/** What brings an order on from here; null where only waiting does. */
const nextOf = (client: Holdfast, { id, status, escrow }: Order): (() => Promise<Order>) | null => {
  if (status === 'ORDER_CREATED') return () => client.orders.reserve(id);
  if (status === 'FUNDS_RESERVED') return () => client.orders.createEscrow(id);
  if (status === 'ESCROW_FUNDING' && escrow?.status === 'CREATED') return () => client.orders.fundEscrow(id);
  if (status === 'IN_PROGRESS') return () => client.orders.release(id, { reason: 'drill' });
  return null;
};

export const liveOrder = async (client: Holdfast, life: OrderLife): Promise<void> => {
  while (life.order.status !== 'CLOSED') {
    try {
      life.order = await client.orders.get(life.orderId);
      const next = nextOf(client, life.order);
      if (next === null) await forSeconds(AGAIN_S);
      else life.order = await next();
    } catch (error) {
      if (!(error instanceof HoldfastError)) throw error;
      // Unknown, busy, or already decided by another caller: the state of the order shows the next step.
      refuseAfterEnd(life.isOver);
      noteRefusal(life.refusals, error);
      await forSeconds(AGAIN_S);
    }
  }
};

export const newOrderLife = async (
  client: Holdfast,
  { buyerId, sellerId, ...of }: { buyerId: string; sellerId: string } & Partial<Pick<OrderLife, 'refusals' | 'isOver'>>,
): Promise<OrderLife> => {
  const ask = { buyerId, sellerId, amount: ORDER_AMOUNT, clientOrderRef: randomUUID() };
  const order = await client.orders.create(ask);
  return { orderId: order.id, order, refusals: new Map(), ...of };
};
