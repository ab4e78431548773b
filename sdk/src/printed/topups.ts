// What these routes take and give.
// Printed from contract/src/api/topups.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount, AmountInput } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type TopUp = {
  /** Top-up id, which is also the code at the payment provider. */
  id: string;
  /** The user whose balance is credited. */
  userId: string;
  /** The amount credited on success. Decimal string with two decimal places. */
  amount: Amount;
  /** Currency code. */
  currency: CurrencyCode;
  status: 'TOPUP_CREATED' | 'TOPUP_AWAITING_USER_CONFIRMATION' | 'TOPUP_PROCESSING' | 'TOPUP_SUCCEEDED' | 'TOPUP_FAILED' | 'TOPUP_CANCELED';
  description: string | null;
  /** The payment provider's id; null until it has answered. */
  providerPayinId: string | null;
  /** Send the payer to this URL to pay. */
  confirmationUri: string | null;
  returnUrl: string | null;
  cancelUrl: string | null;
  /** Why the top-up failed or was cancelled. */
  failureReason: string | null;
  /** The payment provider's code of the failure. */
  errorCode: string | null;
  /** When it was created. */
  createdAt: string;
  /** When it last changed. */
  updatedAt: string;
};

export type CancelTopupInput = {
  /** Reason; part of the event. */
  reason?: string;
};

export type CreateTopupInput = {
  /** The user whose balance is credited. */
  userId: string;
  /** Positive decimal string with at most two decimal places. */
  amount: AmountInput;
  /** Currency of the balance; the base currency when left out. */
  currency?: 'USD' | 'USDC';
  /** Text shown to the payer; the first 250 characters are used. */
  description?: string;
  /** The payer is sent here after paying. http or https. */
  returnUrl?: string;
  /** The payer is sent here when the payment fails or is cancelled. http or https. */
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
