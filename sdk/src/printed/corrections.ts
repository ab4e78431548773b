// What these routes take and give.
// Printed from contract/src/api/corrections.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount, AmountInput } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type Correction = {
  /** Correction id. */
  id: string;
  /** What is corrected. The page of corrections describes each kind. */
  kind: 'cancel-unfunded-order' | 'adopt-contract-state' | 'settle-short-funding' | 'credit-late-topup' | 'settle-payout' | 'close-break' | 'retry-operation' | 'abandon-operation';
  /** The record that was corrected. */
  resourceId: string;
  /** The order that it concerns. */
  orderId: string | null;
  /** The reason of the caller. */
  reason: string;
  /** What the correction moved; null when it moved no money. Decimal string with two decimal places. */
  amount: Amount | null;
  /** Currency code. */
  currency: CurrencyCode | null;
  /** The state and the figures before the correction. */
  before: Record<string, unknown>;
  /** The state and the figures after it. */
  after: Record<string, unknown>;
  /** Who made the correction. */
  by: {
    /** A key, the master key or an operator. */
    type: string;
    /** The id of the key or the operator. */
    id: string;
    /** Its name at that time. */
    name: string;
  };
  /** When it was made. */
  createdAt: string;
};

export type CreateCorrectionInput = {
  /** What is corrected. The page of corrections describes each kind. */
  kind: 'cancel-unfunded-order' | 'adopt-contract-state' | 'settle-short-funding' | 'credit-late-topup' | 'settle-payout' | 'close-break' | 'retry-operation' | 'abandon-operation';
  /** The record that is corrected. */
  resourceId: string;
  /** Why the correction is right. The audit trail keeps it. */
  reason: string;
  /** Only for kinds that ask for an amount. A decimal string with at most two decimal places. */
  amount?: AmountInput;
};

export type ListCorrectionsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only corrections of this kind. */
  kind?: 'cancel-unfunded-order' | 'adopt-contract-state' | 'settle-short-funding' | 'credit-late-topup' | 'settle-payout' | 'close-break' | 'retry-operation' | 'abandon-operation';
  /** Only corrections of this record. */
  resourceId?: string;
};
