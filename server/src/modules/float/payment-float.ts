// Opens the books of what lies at the payment provider, before the first payment there is asked for: it keeps one balance
// for everybody, and may hold the operator's own money already.

import { type Amount, minus, plus, sumOf, ZERO } from '../../books/money.ts';
import type { Submit } from '../../commit/command.ts';
import type { PaymentProvider } from '../../providers/ports.ts';
import { FLOAT_OPENING } from './float-opening.ts';
import { adoptFloat } from './open-float.ts';
import type { FloatReads } from './queries.ts';

export type FloatParts = {
  readonly submit: Submit;
  readonly payment: Pick<PaymentProvider, 'balance'>;
  readonly reads: FloatReads;
  onTrouble(message: string, error: unknown): void;
};

/** Less than the books have there is a difference that reconciliation shows, and no opening. */
const notBelowZero = (amount: Amount): Amount => {
  if (amount < ZERO) return ZERO;
  return amount;
};

export const createPaymentFloat = ({ submit, payment, reads, onTrouble }: FloatParts) => {
  let isOpened = false;
  let opening: Promise<void> | null = null;

  const open = async (): Promise<void> => {
    isOpened = await reads.isOpened();
    // What is being paid right now is in the one sum and not in the other, so nothing can be said.
    if (isOpened || (await reads.hasOpenPayments())) return;
    const known = sumOf((await reads.floats()).map((float) => float.amount));
    const balance = await payment.balance();
    if (balance.kind !== 'yes') {
      onTrouble("the payment provider's balance could not be read; it is tried again", new Error(balance.reason));
      return;
    }
    const { available, pending } = balance.value;
    const amount = notBelowZero(minus(plus(available, pending), known));
    const { marketplaceId, id } = FLOAT_OPENING;
    const context = { marketplaceId, actor: { type: 'system', id }, requestId: 'adopt-float' } as const;
    await submit({ command: adoptFloat, input: { amount }, context });
    isOpened = true;
  };

  /** Never keeps a top-up waiting longer than one question: what cannot be read now is tried again with the next one. */
  return async (): Promise<void> => {
    if (isOpened) return;
    opening ??= open()
      .catch((error: unknown) => onTrouble('what lies at the payment provider could not be booked yet', error))
      .finally(() => {
        opening = null;
      });
    await opening;
  };
};

export type OpenFloat = ReturnType<typeof createPaymentFloat>;
