// What these routes take and give.
// Printed from contract/src/api/topups.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

import type { CurrencyCode } from './fields.ts';

export type TopUp = {
  /** Top-up id; the payment provider's code for it too. */
  id: string;
  /** Whose balance it is for. */
  userId: string;
  /** What is credited when it has succeeded. Decimal string with two places. */
  amount: string;
  /** Currency code. */
  currency: CurrencyCode;
  status: 'TOPUP_CREATED' | 'TOPUP_AWAITING_USER_CONFIRMATION' | 'TOPUP_PROCESSING' | 'TOPUP_SUCCEEDED' | 'TOPUP_FAILED' | 'TOPUP_CANCELED';
  description: string | null;
  /** The payment provider's id; null until it has answered. */
  providerPayinId: string | null;
  /** Send the payer there to pay. */
  confirmationUri: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** Why it failed or was cancelled. */
  failureReason: string | null;
  /** The payment provider's code of the failure. */
  errorCode: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type CancelTopupInput = {
  /** Why; part of the event. */
  reason?: string;
};

export type CreateTopupInput = {
  /** Whose balance it is for. */
  userId: string;
  /** Positive decimal string with at most two places. */
  amount: string;
  /** Currency of the balance; the base currency when left out. */
  currency?: 'USD' | 'USDC';
  /** What the payer reads; the first 250 characters of it. */
  description?: string;
  /** Where the payer goes after paying. http or https. */
  returnUrl?: string;
  /** Where the payer goes otherwise. http or https. */
  cancelUrl?: string;
};

export type ListTopupsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
  /** Only top-ups of this user. */
  userId?: string;
  status?: 'TOPUP_CREATED' | 'TOPUP_AWAITING_USER_CONFIRMATION' | 'TOPUP_PROCESSING' | 'TOPUP_SUCCEEDED' | 'TOPUP_FAILED' | 'TOPUP_CANCELED';
};
