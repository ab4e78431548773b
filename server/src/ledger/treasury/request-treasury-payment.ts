// Queues a treasury payment to one of our wallets. At most one request per wallet is open, so that two orders cannot both request money
// that only one of them lacks.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import type { TreasuryPayment } from './treasury-payment.ts';
import { isOpen, queuePayment } from './treasury-queue.ts';

type RequestInput = {
  readonly walletId: string;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly reference: string | null;
};

/** `isNew` is false when an earlier request is still open: then that one is returned, and nothing is queued. */
type RequestReply = { readonly payment: TreasuryPayment; readonly isNew: boolean };

export const requestTreasuryPayment = command<RequestInput, RequestReply>({
  name: 'request-treasury-payment',
  needs: ({ walletId }) => ({
    rows: [
      { table: 'wallets', id: walletId },
      { table: 'treasuryPayments', by: 'wallet', value: `${walletId}:pay` },
    ],
  }),
  decide({ walletId, currency, amount, reference }, work) {
    const wallet = work.get('wallets', walletId);
    const open = work.listBy('treasuryPayments', 'wallet', `${walletId}:pay`).find(isOpen);
    if (open) return { payment: open, isNew: false };
    const payment = queuePayment(work, { kind: 'pay', wallet, currency, amount, reference });
    return { payment, isNew: true };
  },
});
