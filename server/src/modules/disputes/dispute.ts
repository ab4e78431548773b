// A dispute about an order, and its decision.

import type { DisputeDecision, DisputeOpener, DisputeReason, DisputeStatus } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';

export type Dispute = {
  readonly id: string;
  readonly orderId: string;
  /** Null: the dispute is about the whole order. */
  readonly milestoneRef: string | null;
  readonly openedBy: DisputeOpener;
  readonly reason: DisputeReason;
  /** Null: no list was sent. An empty list was sent as such. */
  readonly evidence: readonly string[] | null;
  readonly status: DisputeStatus;
  readonly assignedTo: string | null;
  readonly resolutionDecision: DisputeDecision | null;
  readonly decisionNote: string | null;
  /** The shares of the decision, before any fee. */
  readonly sellerAmount: Amount | null;
  readonly buyerAmount: Amount | null;
  readonly resolvedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    disputes: Dispute;
  }
  interface Lookups {
    disputes: { order: string };
  }
}

export const DISPUTES = table('disputes', {
  notFound: 'DISPUTE_NOT_FOUND',
  sql: 'disputes',
  columns: [
    'id',
    'orderId',
    'milestoneRef',
    'openedBy',
    'reason',
    'evidence',
    'status',
    'assignedTo',
    'resolutionDecision',
    'decisionNote',
    'sellerAmount',
    'buyerAmount',
    'resolvedAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: { order: { sql: 't.order_id', value: (row) => row.orderId } },
});
