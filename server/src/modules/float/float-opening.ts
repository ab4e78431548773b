// What lay at the payment provider before our first payment there. The provider keeps one balance for all of us, so there
// is one such row in the whole deployment; that it exists says that the float has been opened, also with nothing in it.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';

export type FloatOpening = {
  readonly id: string;
  readonly amount: Amount;
  readonly createdAt: string;
};

/** Where the row is, whichever marketplace has the first top-up; the provider counts in dollars. */
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
