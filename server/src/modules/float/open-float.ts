// The float opening: the balance at the payment provider before our first payment, booked once as the operator's. The provider keeps
// one balance for all marketplaces, so a deployment has one row. The row exists even when the amount is zero.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { type Amount, formatAmount, minus, plus, ZERO } from '../../books/money.ts';
import { command, type Submit } from '../../commit/command.ts';
import { accountsOf } from '../../commit/money.ts';
import { table } from '../../commit/tables.ts';
import type { PaymentProvider } from '../../providers/ports.ts';
import type { FloatReads } from './queries.ts';

type FloatOpening = {
  readonly id: string;
  readonly amount: Amount;
  readonly createdAt: string;
};

/** The key of the only row. It does not depend on the marketplace of the first top-up. The provider counts in dollars. */
export const FLOAT_OPENING = { marketplaceId: DEFAULT_MARKETPLACE, id: 'payment-provider', currency: 'USD' } as const;

declare module '../../commit/tables.ts' {
  interface Tables {
    floatOpenings: FloatOpening;
  }
  interface Lookups {
    floatOpenings: Record<never, string>;
  }
}

export const FLOAT_OPENINGS = table('floatOpenings', {
  notFound: 'INTERNAL_ERROR',
  sql: 'float_openings',
  columns: ['id', 'amount', 'createdAt'],
  lookups: {},
});

const { id, currency } = FLOAT_OPENING;

/** Returns false when the float was opened before. From then on the provider's balance must match the books. */
export const openFloat = command<{ readonly amount: Amount }, boolean>({
  name: 'adopt-float',
  needs: () => ({
    rows: [{ table: 'floatOpenings', id }],
    accounts: accountsOf('float_opening', { currency }),
  }),
  decide({ amount }, work) {
    if (work.find('floatOpenings', id)) return false;
    work.put('floatOpenings', { id, amount, createdAt: work.now });
    if (amount > ZERO) work.move('float_opening', { currency, amount, reference: id });
    work.audit({
      action: 'FLOAT_ADOPTED',
      resourceType: 'PaymentFloat',
      resourceId: id,
      after: { amount: formatAmount(amount), currency },
    });
    return true;
  },
});

type FloatParts = {
  readonly submit: Submit;
  readonly payment: Pick<PaymentProvider, 'balance'>;
  readonly reads: FloatReads;
  onTrouble(message: string, error: unknown): void;
};

/** A balance below the books is a break that reconciliation shows, and not an opening. */
const notBelowZero = (amount: Amount): Amount => {
  return amount < ZERO ? ZERO : amount;
};

/** Opens the float before the first payment is requested: the provider may already hold the operator's own money. */
export const createPaymentFloat = ({ submit, payment, reads, onTrouble }: FloatParts) => {
  let isOpened = false;
  let opening: Promise<void> | null = null;

  const open = async (): Promise<void> => {
    isOpened = await reads.isOpened();
    // A payment in progress may be in one of the two sums only, so they cannot be compared now.
    if (isOpened || (await reads.hasOpenPayments())) return;
    const known = await reads.total();
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

  /** Returns whether the float is opened. Delays a payment by one request at most. The next payment tries again. */
  return async (): Promise<boolean> => {
    if (isOpened) return true;
    opening ??= open()
      .catch((error: unknown) => onTrouble('the balance at the payment provider could not be booked yet', error))
      .finally(() => {
        opening = null;
      });
    await opening;
    return isOpened;
  };
};

export type OpenFloat = ReturnType<typeof createPaymentFloat>;
