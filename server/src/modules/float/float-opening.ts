// The float opening: the balance at the payment provider before our first payment, booked once as the operator's. The provider keeps
// one balance for all marketplaces, so a deployment has one row. The row exists even when the amount is zero.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { type Amount, formatAmount, ZERO } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { accountsOf, move } from '../../commit/money.ts';
import { table } from '../../commit/tables.ts';

export type FloatOpening = {
  readonly id: string;
  readonly amount: Amount;
  readonly createdAt: string;
};

/** The place of the row, whichever marketplace has the first top-up. The provider counts in dollars. */
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

/** Returns false when the float was opened before. From then on the books say what the provider's balance must be. */
export const openFloat = command<{ readonly amount: Amount }, boolean>({
  name: 'adopt-float',
  needs: () => ({
    rows: [{ table: 'floatOpenings', id }],
    accounts: accountsOf('float_opening', { currency }),
  }),
  decide({ amount }, work) {
    if (work.find('floatOpenings', id)) return false;
    work.put('floatOpenings', { id, amount, createdAt: work.now });
    if (amount > ZERO) move(work, 'float_opening', { currency, amount, reference: id });
    work.audit({
      action: 'FLOAT_ADOPTED',
      resourceType: 'PaymentFloat',
      resourceId: id,
      after: { amount: formatAmount(amount), currency },
    });
    return true;
  },
});
