// The balances of a user and the effect of an amount on them. Balances are shown in whole cents, but a fee can leave
// fractions of a cent, and a confirmation must show the exact result.

import type { Balance, CurrencyCode } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session.tsx';
import { add, amountOf, negate, parseAmount, type Units, ZERO } from './amounts.ts';
import type { Effect } from './confirm.tsx';

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

type Change = { readonly name: string; readonly part: 'available' | 'reserved' | 'total'; readonly by: Units };

/** The effects on a balance. Until the balance is loaded they show only the change. */
export const effectsOn = (
  balance: Pick<Balance, Change['part']> | undefined,
  changes: readonly Change[],
  currency: string,
): Effect[] =>
  changes.map(({ name, part, by }) => {
    if (!balance) return { name, currency, change: by };
    const before = amountOf(balance[part]);
    return { name, currency, before, change: by, after: add(before, by) };
  });

export const less = (amount: Units): Units => negate(amount);
