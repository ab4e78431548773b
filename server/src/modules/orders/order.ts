// An order between a buyer and a seller, its milestones, and the rows that belong to it.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { FinalStatus, MilestoneStatus, OrderStatus } from '@holdfast/contract/states.ts';
import type { FeeTerms } from '../../books/fees.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';
import type { Dispute } from '../disputes/dispute.ts';
import type { Escrow } from '../escrows/escrow.ts';
import type { Operation } from '../operations/operation.ts';
import type { Deadline } from '../policies/deadline.ts';
import type { Policy } from '../policies/policy.ts';

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
  /** The platform's fee in hundredths of a percent of the seller's amount. */
  readonly platformFeeBps: number;
  /** What the fee has besides the percentage; null: nothing. */
  readonly feeTerms: FeeTerms | null;
  /** The version of the policy that the order took when it was created; null: none. */
  readonly policyId: string | null;
  readonly status: OrderStatus;
  /** Null until the order is closed. */
  readonly finalStatus: FinalStatus | null;
  /** The live escrow. An escrow that was set aside is not named here. */
  readonly escrowId: string | null;
  /** The last dispute about the order or one of its milestones. */
  readonly disputeId: string | null;
  /** The operation that is running. */
  readonly operationId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type Milestone = {
  /** Made of the order's id and the place, so that sorting by id keeps the places. */
  readonly id: string;
  readonly orderId: string;
  /** From 0, as in the contract. */
  readonly place: number;
  readonly ref: string;
  readonly title: string;
  readonly amount: Amount;
  readonly status: MilestoneStatus;
  readonly completedAt: string | null;
  /** What a payment of this milestone on its own gave to the seller, before the fee. Null: it was not paid on its own. */
  readonly releasedAmount: Amount | null;
  readonly refundedAmount: Amount | null;
  /** The platform's fee on the released amount. */
  readonly fee: Amount | null;
  /** The last dispute about this milestone. */
  readonly disputeId: string | null;
};

/** The version of a policy, without its rules. */
export type PolicyName = Pick<Policy, 'id' | 'name' | 'policyVersion'>;

/** An order with the rows that belong to it, as commands and replies use it. */
export type OrderView = {
  readonly order: Order;
  /** Sorted by place. */
  readonly milestones: readonly Milestone[];
  readonly escrow: Escrow | null;
  readonly dispute: Dispute | null;
  /** The operation that is running. */
  readonly operation: Operation | null;
  readonly policy: PolicyName | null;
  /** Earliest first. */
  readonly deadlines: readonly Deadline[];
};

/** An order that has a live escrow. */
export type WithEscrow = OrderView & { readonly escrow: Escrow };

export type DisputeView = { readonly dispute: Dispute; readonly order: OrderView };

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
    'feeTerms',
    'policyId',
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
  columns: [
    'id',
    'orderId',
    'place',
    'ref',
    'title',
    'amount',
    'status',
    'completedAt',
    'releasedAmount',
    'refundedAmount',
    'fee',
    'disputeId',
  ],
  lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
});
