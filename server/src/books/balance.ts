// What one user has in one currency.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from './money.ts';

export type Balance = {
  readonly userId: string;
  readonly currency: Currency;
  readonly available: Amount;
  readonly reserved: Amount;
  readonly updatedAt: string;
};
