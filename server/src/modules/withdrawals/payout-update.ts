// A report of the payment provider about a payout: the update of the withdrawal's row, the check that the report is about this
// withdrawal, and the errors for the caller.

import type { WithdrawalStatus } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount } from '../../books/money.ts';
import type { PaymentProvider, Payout } from '../../providers/ports.ts';
import type { Withdrawal } from './withdrawal.ts';

/** A field is null where the report does not contain it. */
export type PayoutUpdate = {
  readonly status: WithdrawalStatus;
  readonly payoutId: string | null;
  readonly amount: Amount | null;
  /** Two reads of the provider's own record showed this amount. Only then may it differ from the withdrawal's. */
  readonly isAmountCertain: boolean;
  readonly currency: string | null;
  /** Only the provider's own record contains it. The recipient pays it. */
  readonly fee: Amount | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
  /** Where the user completes the action that the provider requires. */
  readonly actionUrl: string | null;
};

/** From the provider's own record. */
export const updateOf = (
  payout: Payout,
  { actionUrl, isAmountCertain }: Pick<PayoutUpdate, 'actionUrl' | 'isAmountCertain'>,
): PayoutUpdate => ({
  status: payout.state,
  payoutId: payout.id,
  amount: payout.amount,
  isAmountCertain,
  currency: null,
  fee: payout.fee,
  reason: payout.reason,
  errorCode: payout.reasonCode,
  actionUrl,
});

/** The provider counts in dollars. The balance may be in another currency that is pegged to the dollar. */
const PROVIDER_CURRENCY = 'USD';

/** The provider has finished the payout, so its amount does not change any more. */
export const isPayoutEnd = (status: WithdrawalStatus): boolean =>
  ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'].includes(status);

type ReadAgain = {
  readonly payment: Pick<PaymentProvider, 'findPayoutByCode'>;
  readonly withdrawal: Withdrawal;
};

/** Another amount than the withdrawal's is believed only when two reads of a finished payout show the same. */
export const isAmountCertain = async (
  { payment, withdrawal }: ReadAgain,
  { id, state, amount }: Payout,
): Promise<boolean> => {
  if (amount === withdrawal.amount || !isPayoutEnd(state)) return false;
  const again = await payment.findPayoutByCode(withdrawal.id);
  if (again.kind !== 'yes' || again.value === null) return false;
  return again.value.id === id && again.value.state === state && again.value.amount === amount;
};

/** Why the update cannot be about this withdrawal; null when it can. */
export const mismatchOf = (withdrawal: Withdrawal, update: PayoutUpdate): string | null => {
  const { status, payoutId, amount, currency, fee } = update;
  if (withdrawal.address !== null) return 'The withdrawal is not paid through the payment provider.';
  if (payoutId !== null && withdrawal.providerPayoutId !== null && payoutId !== withdrawal.providerPayoutId) {
    return "It is about another payment than the withdrawal's.";
  }
  if (amount === null && status === 'WITHDRAWAL_COMPLETED') return 'The provider does not say how much was paid.';
  const isExecuted = update.isAmountCertain && isPayoutEnd(status);
  if (amount !== null && amount !== withdrawal.amount && !isExecuted) {
    return `The provider's amount is ${formatAmount(amount)}, the withdrawal's is ${formatAmount(withdrawal.amount)}.`;
  }
  if (currency !== null && currency !== withdrawal.currency && currency !== PROVIDER_CURRENCY) {
    return `The provider's currency is ${currency}, the withdrawal's is ${withdrawal.currency}.`;
  }
  if (fee !== null && fee > withdrawal.amount) return "The provider's fee is larger than the withdrawal.";
  return null;
};

export const PAYMENT = 'payment-provider';
export const LEDGER = 'ledger-network';

const payerOf = ({ address }: Withdrawal): string => (address === null ? PAYMENT : LEDGER);

export const timedOut = (withdrawal: Withdrawal, reason: string): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The withdrawal is still in progress. Check it again in a few seconds.',
    details: { provider: payerOf(withdrawal), withdrawalId: withdrawal.id, reason },
  });

/** The withdrawal ended without being paid. */
export const refused = (withdrawal: Withdrawal): DomainError => {
  const { id, failureReason: reason, errorCode } = withdrawal;
  return new DomainError('INTERNAL_ERROR', {
    message: `The withdrawal was not paid: ${reason ?? 'no reason was given.'} The money is back in the balance.`,
    details: { provider: payerOf(withdrawal), withdrawalId: id, reason, errorCode },
  });
};

export const mismatched = ({ id }: Withdrawal, reason: string): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `The payment provider shows a payment that is not this withdrawal: ${reason} No money has moved here.`,
    details: { provider: PAYMENT, withdrawalId: id, reason },
  });

export const unreadable = ({ id }: Withdrawal, reason: string): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `The payment provider does not show this withdrawal: ${reason} No money has moved here.`,
    details: { provider: PAYMENT, withdrawalId: id, reason },
  });
