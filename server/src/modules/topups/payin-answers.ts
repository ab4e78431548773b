// What the payment provider's answers mean for a top-up: as news for its row, and as refusals for whoever asked.

import { DomainError } from '../../base/domain-error.ts';
import { ZERO } from '../../books/money.ts';
import type { Payin } from '../../providers/ports.ts';
import type { PayinNews } from './payin-update.ts';
import type { TopUp } from './topup.ts';

const PROVIDER = 'payment-provider';

/** The provider's own record. It is complete: what it does not name as a fee was none. */
export const newsOf = ({ id, state, amount, fee, payerUrl, reason }: Payin): PayinNews => ({
  status: state,
  payinId: id,
  amount,
  currency: null,
  fee: fee ?? ZERO,
  confirmationUri: payerUrl,
  reason,
  errorCode: null,
});

export const timedOut = ({ id }: TopUp, reason: string): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The outcome is not known yet. It is looked up; read the top-up again shortly.',
    details: { provider: PROVIDER, topupId: id, reason },
  });

export const refused = ({ id }: TopUp, { reason, code }: { reason: string; code: string | null }): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `The payment provider refused: ${reason} No money has moved.`,
    details: { provider: PROVIDER, topupId: id, reason, errorCode: code },
  });

export const misfitted = ({ id }: TopUp, reason: string): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: `What the payment provider shows is not this top-up: ${reason} No money has moved.`,
    details: { provider: PROVIDER, topupId: id, reason },
  });

export const lost = ({ id }: TopUp): DomainError =>
  new DomainError('INTERNAL_ERROR', {
    message: 'The payment provider does not know this top-up any more. No money has moved.',
    details: { provider: PROVIDER, topupId: id },
  });

export const nobody = (): DomainError =>
  new DomainError('INTERNAL_ERROR', { message: 'There is no payment provider here. Set PAYMENT_PROVIDER_URL.' });
