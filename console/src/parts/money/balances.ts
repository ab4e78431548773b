// The balances of a user. They are shown in whole cents, but a fee can leave fractions of a cent, and an outcome must show the exact
// result.

import type { CurrencyCode } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session.tsx';
import { amountOf, parseAmount, type Units, ZERO } from './amounts.ts';

export type ExactBalance = { readonly available: Units; readonly reserved: Units };

/** Both parts of a balance to the last decimal; null until it is loaded. */
export const useExactBalance = (userId: string, currency: CurrencyCode): ExactBalance | null => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['users', userId, 'held', currency],
    queryFn: async (): Promise<ExactBalance> => {
      // The closing balance of a statement is exact, also for a single line.
      const { closing } = await client.users.statement(userId, { currency, limit: 1 });
      return { available: amountOf(closing.available), reserved: amountOf(closing.reserved) };
    },
  });
  return data ?? null;
};

/** The currencies of balances. */
export const CURRENCIES = ['USD', 'USDC', 'XLM'] as const satisfies readonly CurrencyCode[];

export const balanceKey = (userId: string, currency: string) => ['users', userId, 'balance', currency] as const;

export const useBalance = (userId: string, currency: CurrencyCode) => {
  const client = useClient();
  return useQuery({
    queryKey: balanceKey(userId, currency),
    queryFn: () => client.balances.get(userId, { currency }),
    enabled: userId !== '',
  });
};

/** The amount in a form field; zero while it is invalid. */
export const unitsOf = (text: string): Units => parseAmount(text) ?? ZERO;
