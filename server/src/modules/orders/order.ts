// An order between a buyer and a seller, and the pieces of work it may be paid for.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { FinalStatus, MilestoneStatus, OrderStatus } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';

export type Order = {
  readonly id: string;
  readonly buyerId: string;
  readonly sellerId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly title: string;
  readonly description: string | null;
  readonly clientOrderRef: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Hundredths of a percent of what the seller gets. */
  readonly platformFeeBps: number;
  readonly status: OrderStatus;
  /** Null until it is closed. */
  readonly finalStatus: FinalStatus | null;
  /** The live one; an escrow that was set aside is no longer named here. */
  readonly escrowId: string | null;
  readonly disputeId: string | null;
  /** What is being carried out on its behalf right now. */
  readonly operationId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type Milestone = {
  /** Order and place, so that an order's milestones keep their order. */
  readonly id: string;
  readonly orderId: string;
  /** From 0: the contract counts them the same way. */
  readonly place: number;
  readonly ref: string;
  readonly title: string;
  readonly amount: Amount;
  readonly status: MilestoneStatus;
  readonly completedAt: string | null;
};

export const milestoneId = (orderId: string, place: number): string => `${orderId}:${place}`;

export const inPlace = (a: Pick<Milestone, 'place'>, b: Pick<Milestone, 'place'>): number => a.place - b.place;

declare module '../../commit/tables.ts' {
  interface Tables {
    orders: Order;
    milestones: Milestone;
  }
  interface Lookups {
    orders: { clientOrderRef: string };
    milestones: { order: string };
  }
}

export const ORDERS = table('orders', {
  notFound: 'ORDER_NOT_FOUND',
  sql: 'orders',
  columns: [
    'id',
    'buyerId',
    'sellerId',
    'amount',
    'currency',
    'title',
    'description',
    'clientOrderRef',
    'metadata',
    'platformFeeBps',
    'status',
    'finalStatus',
    'escrowId',
    'disputeId',
    'operationId',
    'createdAt',
    'updatedAt',
  ],
  lookups: {
    clientOrderRef: {
      sql: 't.client_order_ref',
      where: { sql: 't.client_order_ref is not null', holds: (row) => row.clientOrderRef !== null },
      value: (row) => row.clientOrderRef ?? '',
    },
  },
});

export const MILESTONES = table('milestones', {
  notFound: 'MILESTONE_NOT_FOUND',
  sql: 'milestones',
  columns: ['id', 'orderId', 'place', 'ref', 'title', 'amount', 'status', 'completedAt'],
  lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
});
