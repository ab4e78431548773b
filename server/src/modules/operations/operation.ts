// An operation: work for an order that needs outside systems, such as creating or funding its escrow. The row is written before the
// first call, so that the request, a job, or another process after a crash can continue it.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DisputeDecision, OperationKind, OperationState } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import type { ApprovalMark } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

/** The request: its caller and its values. Stored as JSON, with amounts in units of 10^-7 as text. */
export type OperationRequest = {
  readonly actor: { readonly type: 'master' | 'api_key' | 'operator' | 'user' | 'system'; readonly id: string };
  readonly requestId: string;
  /** Only when another actor has approved the request. */
  readonly approval?: ApprovalMark;
  readonly reason?: string | null;
  /** The milestone that is paid on its own; absent when the whole order is settled. */
  readonly milestoneRef?: string;
  /** The deadline that began the operation. */
  readonly deadlineId?: string;
  readonly decision?: DisputeDecision;
  readonly note?: string | null;
  readonly sellerUnits?: string;
  readonly buyerUnits?: string;
};

export type Operation = {
  readonly id: string;
  readonly kind: OperationKind;
  readonly orderId: string;
  readonly escrowId: string;
  readonly disputeId: string | null;
  readonly state: OperationState;
  /** The last call that was recorded. */
  readonly step: string | null;
  /** How often it was postponed because an outcome was unknown. */
  readonly attempts: number;
  readonly ask: OperationRequest;
  /** The wallet that pays. Its amount cannot be promised to another operation. Null: the operation pays nothing. */
  readonly walletId: string | null;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly failure: string | null;
  /** The job does not try it before this time. */
  readonly nextAttemptAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    operations: Operation;
  }
  interface Lookups {
    operations: Record<never, string>;
  }
}

export const OPERATIONS = table('operations', {
  notFound: 'OPERATION_NOT_FOUND',
  sql: 'operations',
  columns: [
    'id',
    'kind',
    'orderId',
    'escrowId',
    'disputeId',
    'state',
    'step',
    'attempts',
    'ask',
    'walletId',
    'currency',
    'amount',
    'failure',
    'nextAttemptAt',
    'createdAt',
    'updatedAt',
  ],
  lookups: {},
});
