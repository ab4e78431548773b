// What the answers of those who pay mean for a withdrawal: as news for its row, and as refusals for whoever asked.

import { DomainError } from '../../base/domain-error.ts';
import type { Payout } from '../../providers/ports.ts';
import type { PayoutNews } from './payout-update.ts';
import type { Withdrawal } from './withdrawal.ts';

export const PAYMENT = 'payment-provider';
export const LEDGER = 'ledger-network';

const payerOf = ({ address }: Withdrawal): string => (address === null ? PAYMENT : LEDGER);

/** The provider's own record. */
export const newsOf = (payout: Payout, actionUrl: string | null): PayoutNews => ({
  status: payout.state,
  payoutId: payout.id,
  amount: payout.amount,
  currency: null,
  fee: payout.fee,
  reason: payout.reason,
  errorCode: payout.reasonCode,
  actionUrl,
});

export const timedOut = (withdrawal: Withdrawal, reason: string): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The outcome is not known yet. It is being carried on; read the withdrawal again shortly.',
    details: { provider: payerOf(withdrawal), withdrawalId: withdrawal.id, reason },
  });

/** It has ended without being paid. */
export const refused = (withdrawal: Withdrawal): DomainError => {
  const { id, failureReason: reason, errorCode } = withdrawal;
  return new DomainError('INTERNAL_ERROR', {
    message: `It was not paid out: ${reason ?? 'no reason was given.'} The money is back in the balance.`,
    details: { provider: payerOf(withdrawal), withdrawalId: id, reason, errorCode },
  });
};

export const misfitted = ({ id }: Withdrawal, reason: string): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `What the payment provider shows is not this withdrawal: ${reason} No money has moved here.`,
    details: { provider: PAYMENT, withdrawalId: id, reason },
  });

export const unreadable = ({ id }: Withdrawal, reason: string): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `The payment provider does not show this withdrawal: ${reason} No money has moved here.`,
    details: { provider: PAYMENT, withdrawalId: id, reason },
  });
