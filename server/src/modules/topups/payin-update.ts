// A report of the payment provider about a pay-in: the update of the top-up's row, the check that the report is about this
// top-up, and the errors for the caller.

import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount, ZERO } from '../../books/money.ts';
import type { Payin } from '../../providers/ports.ts';
import type { ReportedStatus, TopUp } from './topup.ts';

/** A field is null where the report does not contain it. */
export type PayinUpdate = {
  readonly status: ReportedStatus;
  readonly payinId: string | null;
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** Only the provider's own record contains it. */
  readonly fee: Amount | null;
  readonly confirmationUri: string | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
};

/** The provider's own record is complete: without a fee in it, there was none. */
export const updateOf = ({ id, state, amount, fee, payerUrl, reason }: Payin): PayinUpdate => ({
  status: state,
  payinId: id,
  amount,
  currency: null,
  fee: fee ?? ZERO,
  confirmationUri: payerUrl,
  reason,
  errorCode: null,
});

/** An update that we conclude ourselves: the pay-in was never created, or is cancelled. */
export const failedUpdate = ({ reason, code }: ProviderRefusal): PayinUpdate => ({
  status: 'TOPUP_FAILED',
  payinId: null,
  amount: null,
  currency: null,
  fee: null,
  confirmationUri: null,
  reason,
  errorCode: code,
});

/** The provider counts in dollars. The balance may be in another currency that is pegged to the dollar. */
const PROVIDER_CURRENCY = 'USD';

/** Why the update cannot be about this top-up; null when it can. */
export const mismatchOf = (topup: TopUp, update: PayinUpdate): string | null => {
  const { status, payinId, amount, currency, fee } = update;
  if (payinId !== null && topup.providerPayinId !== null && payinId !== topup.providerPayinId) {
    return "It is about another payment than the top-up's.";
  }
  if (amount === null && status === 'TOPUP_SUCCEEDED') return 'The provider does not say how much was paid.';
  if (amount !== null && amount !== topup.amount) {
    return `The provider's amount is ${formatAmount(amount)}, the top-up's is ${formatAmount(topup.amount)}.`;
  }
  if (currency !== null && currency !== topup.currency && currency !== PROVIDER_CURRENCY) {
    return `The provider's currency is ${currency}, the top-up's is ${topup.currency}.`;
  }
  if (fee !== null && fee > topup.amount) return "The provider's fee is larger than the top-up.";
  return null;
};

export type ProviderRefusal = { readonly reason: string; readonly code: string | null };

const PROVIDER = 'payment-provider';

export const timedOut = ({ id }: TopUp, reason: string): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The top-up is still in progress. Check it again in a few seconds.',
    details: { provider: PROVIDER, topupId: id, reason },
  });

export const refused = ({ id }: TopUp, { reason, code }: ProviderRefusal): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `The payment provider refused: ${reason} No money has moved.`,
    details: { provider: PROVIDER, topupId: id, reason, errorCode: code },
  });

export const mismatched = ({ id }: TopUp, reason: string): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `The payment provider shows a payment that is not this top-up: ${reason} No money has moved.`,
    details: { provider: PROVIDER, topupId: id, reason },
  });

export const unknownToProvider = ({ id }: TopUp): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: 'The payment provider no longer knows this top-up. No money has moved.',
    details: { provider: PROVIDER, topupId: id },
  });

export const noProvider = (): DomainError =>
  new DomainError('INTERNAL_ERROR', { message: 'No payment provider is set. Set PAYMENT_PROVIDER_URL.' });
