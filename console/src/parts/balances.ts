// The exact balance of a user. Balances are shown in whole cents, but a fee can leave fractions of a cent, and a
// confirmation must show the exact result.

import type { CurrencyCode } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session.tsx';
import { amountOf, type Units } from './amounts.ts';

export type Held = { readonly available: Units; readonly reserved: Units };

/** Null until it is loaded. */
export const useHeld = (userId: string, currency: CurrencyCode): Held | null => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['users', userId, 'held', currency],
    queryFn: async (): Promise<Held> => {
      // The closing balance of a statement is exact, also for a single line.
      const { closing } = await client.users.statement(userId, { currency, limit: 1 });
      return { available: amountOf(closing.available), reserved: amountOf(closing.reserved) };
    },
  });
  return data ?? null;
};
