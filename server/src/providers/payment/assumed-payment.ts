// A payment provider that is never called: it answers every request as if it had succeeded, and names the requests that would have been
// made. Previews run the steps of a payment with it.

import { type Answer, yes } from '../../base/answer.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { Payin, PayinState, PaymentProvider, Payout, PayoutState } from '../ports.ts';

type Options = {
  /** The amount of the payment that the preview is about. */
  readonly amount: Amount;
  /** Receives each request that changes something at the provider. Reads are not named. */
  onCall(operation: string): void;
};

/** Ids that the provider would give. */
const PAYMENT_ID = 'preview';
/** A name that never resolves. */
const PAYER_URL = 'https://payment-provider.invalid/confirm';

export const assumePayments = ({ amount, onCall }: Options): PaymentProvider => {
  const payin = (code: string, state: PayinState): Payin => ({
    id: code === PAYMENT_ID || code === '' ? PAYMENT_ID : code,
    code,
    state,
    amount,
    fee: null,
    payerUrl: PAYER_URL,
    reason: null,
  });
  const payout = (id: string, state: PayoutState): Payout => ({
    id,
    code: null,
    state,
    amount,
    fee: null,
    reasonCode: null,
    reason: null,
  });
  const called = async <T>(operation: string, value: T): Promise<Answer<T>> => {
    onCall(operation);
    return yes(value);
  };
  const provider: PaymentProvider = {
    createPayin: () => called('create-payin', payin(PAYMENT_ID, 'TOPUP_AWAITING_USER_CONFIRMATION')),
    getPayin: async (id) => yes(payin(id, 'TOPUP_AWAITING_USER_CONFIRMATION')),
    findPayinByCode: async () => yes(null),
    cancelPayin: (id) => called('cancel-payin', payin(id, 'TOPUP_CANCELED')),
    createPayout: () => called('create-payout', payout(PAYMENT_ID, 'WITHDRAWAL_CREATED')),
    commitPayout: () => called('commit-payout', null),
    cancelPayout: (id) => called('cancel-payout', payout(id, 'WITHDRAWAL_CANCELED')),
    // How far a committed payout is by then differs; the commitment itself is certain.
    getPayout: async (id) => yes(payout(id, 'WITHDRAWAL_COMMITTED')),
    findPayoutByCode: async () => yes(null),
    listPayouts: async () => yes({ payouts: [], next: null }),
    getUser: async (account) => yes({ id: account, email: account, isActive: true, isVerified: true }),
    balance: async () => yes({ available: ZERO, pending: ZERO }),
    account: async () => yes({ id: PAYMENT_ID }),
    withPriority: () => provider,
    forMarketplace: () => provider,
  };
  return provider;
};
