// Opens the float before the first payment is requested: the payment provider keeps one balance for all marketplaces, and may
// already hold the operator's own money.

import { type Amount, minus, plus, sumOf, ZERO } from '../../books/money.ts';
import type { Submit } from '../../commit/command.ts';
import type { PaymentProvider } from '../../providers/ports.ts';
import { FLOAT_OPENING, openFloat } from './float-opening.ts';
import type { FloatReads } from './queries.ts';

export type FloatParts = {
  readonly submit: Submit;
  readonly payment: Pick<PaymentProvider, 'balance'>;
  readonly reads: FloatReads;
  onTrouble(message: string, error: unknown): void;
};

/** A balance below the books is a break that reconciliation shows, and not an opening. */
const notBelowZero = (amount: Amount): Amount => {
  if (amount < ZERO) return ZERO;
  return amount;
};

export const createPaymentFloat = ({ submit, payment, reads, onTrouble }: FloatParts) => {
  let isOpened = false;
  let opening: Promise<void> | null = null;

  const open = async (): Promise<void> => {
    isOpened = await reads.isOpened();
    // A payment in progress may be in one of the two sums only, so they cannot be compared now.
    if (isOpened || (await reads.hasOpenPayments())) return;
    const known = sumOf((await reads.floats()).map((float) => float.amount));
    const balance = await payment.balance();
    if (balance.kind !== 'yes') {
      onTrouble("the payment provider's balance could not be read; it will be retried", new Error(balance.reason));
      return;
    }
    const { available, pending } = balance.value;
    const amount = notBelowZero(minus(plus(available, pending), known));
    const { marketplaceId, id } = FLOAT_OPENING;
    const context = { marketplaceId, actor: { type: 'system', id }, requestId: 'adopt-float' } as const;
    await submit({ command: openFloat, input: { amount }, context });
    isOpened = true;
  };

  /** Delays a top-up by one request at most. A balance that cannot be read now is read with the next top-up. */
  return async (): Promise<void> => {
    if (isOpened) return;
    opening ??= open()
      .catch((error: unknown) => onTrouble('the balance at the payment provider could not be booked yet', error))
      .finally(() => {
        opening = null;
      });
    await opening;
  };
};

export type OpenFloat = ReturnType<typeof createPaymentFloat>;
