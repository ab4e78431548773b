// A project: its owner's task and budget. Its escrow is an ordinary order, and the project's status is read from that order: a change of
// the order on either surface changes the project.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { FinalStatus, OrderStatus, ProjectStatus } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';
import type { Order } from '../orders/order.ts';

export type Project = {
  readonly id: string;
  readonly ownerId: string;
  readonly title: string;
  readonly description: string;
  readonly budget: Amount;
  readonly currency: Currency;
  /** The order of its escrow. After a canceled order the project can get another one. */
  readonly orderId: string | null;
  /** Until then a request is setting the escrow up and will reply. */
  readonly claimedUntil: string | null;
  /** When the request was answered that the escrow is funded. Before that the same request may be repeated. */
  readonly answeredAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A project whose setup was interrupted and whose claim has expired. */
export type LeftProject = {
  readonly marketplaceId: string;
  readonly projectId: string;
  readonly ownerId: string;
  readonly orderId: string;
};

type OrderState = Pick<Order, 'status' | 'finalStatus'>;

const BY_END: Readonly<Record<FinalStatus, ProjectStatus>> = {
  RELEASED: 'completed',
  SPLIT: 'completed',
  REFUNDED: 'cancelled',
  CANCELED: 'open',
};

const BY_STATUS: Readonly<Record<Exclude<OrderStatus, 'CLOSED'>, ProjectStatus>> = {
  ORDER_CREATED: 'open',
  FUNDS_RESERVED: 'open',
  ESCROW_CREATING: 'open',
  ESCROW_FUNDING: 'open',
  IN_PROGRESS: 'in_progress',
  RELEASE_REQUESTED: 'in_progress',
  REFUND_REQUESTED: 'in_progress',
  DISPUTED: 'in_progress',
  RELEASED: 'completed',
  REFUNDED: 'cancelled',
};

export const projectStatus = (order: OrderState | null): ProjectStatus => {
  if (order === null) return 'open';
  if (order.status !== 'CLOSED') return BY_STATUS[order.status];
  return order.finalStatus === null ? 'open' : BY_END[order.finalStatus];
};

/** Canceled before money was in escrow. */
export const isCanceled = ({ finalStatus }: OrderState): boolean => finalStatus === 'CANCELED';

declare module '../../commit/tables.ts' {
  interface Tables {
    projects: Project;
  }
  interface Lookups {
    projects: Record<never, string>;
  }
}

export const PROJECTS = table('projects', {
  notFound: 'PROJECT_NOT_FOUND',
  sql: 'projects',
  columns: [
    'id',
    'ownerId',
    'title',
    'description',
    'budget',
    'currency',
    'orderId',
    'claimedUntil',
    'answeredAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: {},
});
