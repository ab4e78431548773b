// Something that is carried out with the outside systems on an order's behalf. Its row is written before the first call,
// so that whoever finds it can go on: the request itself, a job, or another process after a crash.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { DisputeDecision, OperationKind, OperationState } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';

/** Who asked, and for what; kept as JSON, amounts in units of 10^-7 as text. */
export type OperationAsk = {
  readonly actor: { readonly type: 'master' | 'api_key' | 'user' | 'system'; readonly id: string };
  readonly requestId: string;
  readonly reason?: string | null;
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
  /** The call that it last recorded. */
  readonly step: string | null;
  /** How often it was put off because an outcome was not known. */
  readonly attempts: number;
  readonly ask: OperationAsk;
  /** The wallet that pays, and how much: what is promised to it cannot be counted for another. Null: it pays nothing. */
  readonly walletId: string | null;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly failure: string | null;
  /** Not tried again by the job before this. */
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
  notFound: 'INTERNAL_ERROR',
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
