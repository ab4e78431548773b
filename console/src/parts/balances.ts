// What a user has, exactly: balances are shown in whole cents, but a fee can leave parts of a cent, and whoever is told what
// will be there afterwards must be told the truth.

import type { CurrencyCode } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session.tsx';
import { amountOf, type Units } from './amounts.ts';

export type Held = { readonly available: Units; readonly reserved: Units };

/** Null until it is known. */
export const useHeld = (userId: string, currency: CurrencyCode): Held | null => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['users', userId, 'held', currency],
    queryFn: async (): Promise<Held> => {
      // A statement closes with exact figures, however few of its lines are asked for.
      const { closing } = await client.users.statement(userId, { currency, limit: 1 });
      return { available: amountOf(closing.available), reserved: amountOf(closing.reserved) };
    },
  });
  return data ?? null;
};
