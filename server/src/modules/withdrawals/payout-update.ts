// What the payment provider says about a payment out of ours, and whether it can be the one that the withdrawal is about.

import type { WithdrawalStatus } from '@holdfast/contract/states.ts';
import { type Amount, formatAmount } from '../../books/money.ts';
import type { Withdrawal } from './withdrawal.ts';

/** Null where it was not said. */
export type PayoutNews = {
  readonly status: WithdrawalStatus;
  readonly payoutId: string | null;
  readonly amount: Amount | null;
  readonly currency: string | null;
  /** Only the provider's own record says it; the one who is paid bears it. */
  readonly fee: Amount | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
  /** Where the user sees to what the provider asks for. */
  readonly actionUrl: string | null;
};

/** The provider counts in dollars, whatever pegged currency the balance is kept in. */
const PROVIDER_CURRENCY = 'USD';

/** Why it cannot be this withdrawal's; null when it can. */
export const misfitOf = (withdrawal: Withdrawal, news: PayoutNews): string | null => {
  const { status, payoutId, amount, currency, fee } = news;
  if (withdrawal.address !== null) return 'The withdrawal is not paid through the payment provider.';
  if (payoutId !== null && withdrawal.providerPayoutId !== null && payoutId !== withdrawal.providerPayoutId) {
    return "It is about another payment than the withdrawal's.";
  }
  if (amount === null && status === 'WITHDRAWAL_COMPLETED') return 'The provider does not say how much was paid.';
  if (amount !== null && amount !== withdrawal.amount) {
    return `The provider's amount is ${formatAmount(amount)}, the withdrawal's is ${formatAmount(withdrawal.amount)}.`;
  }
  if (currency !== null && currency !== withdrawal.currency && currency !== PROVIDER_CURRENCY) {
    return `The provider's currency is ${currency}, the withdrawal's is ${withdrawal.currency}.`;
  }
  if (fee !== null && fee > withdrawal.amount) return "The provider's fee is larger than the withdrawal.";
  return null;
};
