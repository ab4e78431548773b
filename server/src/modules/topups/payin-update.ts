// What the payment provider says about a payment of ours, and whether it can be the one that the top-up is about.

import { type Amount, formatAmount } from '../../books/money.ts';
import type { ToldStatus, TopUp } from './topup.ts';

/** Null where it was not said. */
export type PayinNews = {
  readonly status: ToldStatus;
  readonly payinId: string | null;
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** Only the provider's own record says it. */
  readonly fee: Amount | null;
  readonly confirmationUri: string | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
};

/** Nothing but a state and why, for what we conclude ourselves. */
export const plainNews = (status: ToldStatus, why: Pick<PayinNews, 'reason' | 'errorCode'>): PayinNews => ({
  ...{ payinId: null, amount: null, currency: null, fee: null, confirmationUri: null },
  status,
  ...why,
});

/** The provider counts in dollars, whatever pegged currency the balance is kept in. */
const PROVIDER_CURRENCY = 'USD';

/** Why it cannot be this top-up's; null when it can. */
export const misfitOf = (topup: TopUp, { status, payinId, amount, currency, fee }: PayinNews): string | null => {
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
