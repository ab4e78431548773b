// Random balance commands, and how they are submitted and compared with the model.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { isDomainError } from '../../server/src/base/domain-error.ts';
import { fromUnits } from '../../server/src/books/money.ts';
import { creditBalance, debitBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import {
  cancelReservation,
  deductReserved,
  releaseBalance,
} from '../../server/src/modules/balances/release-reserved.ts';
import { reserveBalance } from '../../server/src/modules/balances/reserve-balance.ts';
import { createUser } from '../../server/src/modules/users/create-user.ts';
import type { Balances } from '../../tools/load/check-books.ts';
import { type Fixture, replyOf } from '../commit/fixture.ts';
import { CURRENCIES, type Model, reservedIn, type Step } from './model.ts';

const USERS = 3;
const ORDERS = ['o1', 'o2'];
const UNITS_PER_CENT = 100_000n;

const user = fc.nat(USERS - 1);
const currency = fc.constantFrom(...CURRENCIES.slice(0, 2));
// Few and small amounts, so that a balance is often exactly enough and often one cent short.
const cents = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(10, 100));
const order = fc.constantFrom(null, ...ORDERS);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('credit' as const), user, currency, cents }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const), user, currency, cents }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('debit' as const), user, currency, cents }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reserve' as const), user, currency, cents, order }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constantFrom('release' as const, 'deduct' as const), user, currency, cents, order }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), user, order: fc.constantFrom(...ORDERS) }) },
);

/** Steps in one bundle are submitted at once, so that they share groups; bundles wait for each other. */
export const bundles: fc.Arbitrary<Step[][]> = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), {
  minLength: 1,
  maxLength: 5,
});

const BY_HAND = { credit: creditBalance, debit: debitBalance } as const;
const OF_RESERVED = { reserve: reserveBalance, release: releaseBalance, deduct: deductReserved } as const;

export const submitStep = (fixture: Fixture, step: Step, at: { marketplaceId: string; userIds: readonly string[] }) => {
  const userId = at.userIds[step.user]!;
  const { marketplaceId } = at;
  if (step.do === 'cancel') {
    const input = { userId, orderId: step.order, reason: null, baseCurrency: 'USD' } as const;
    return fixture.submit(cancelReservation, input, { marketplaceId });
  }
  const amount = fromUnits(BigInt(step.cents) * UNITS_PER_CENT);
  const money = { userId, currency: step.currency, amount };
  if ('order' in step) {
    return fixture.submit(OF_RESERVED[step.do], { ...money, orderId: step.order }, { marketplaceId });
  }
  if (step.do !== 'open') return fixture.submit(BY_HAND[step.do], money, { marketplaceId });
  // A second one with the same reference would be refused.
  const opening = { ...money, reference: randomUUID(), counterAccount: 'opening_balances' } as const;
  return fixture.submit(creditBalance, opening, { marketplaceId });
};

export const outcomeOf = (settled: PromiseSettledResult<unknown>): string => {
  if (settled.status === 'fulfilled') return 'done';
  if (!isDomainError(settled.reason)) throw settled.reason;
  return settled.reason.code;
};

export const modelBalances = (model: Model, userIds: readonly string[]): Balances => {
  const all: Balances = {};
  for (const [key, userBalance] of model) {
    const [user, currency] = key.split('/');
    const [available, reserved] = [userBalance.available, reservedIn(userBalance)].map(
      (cents) => BigInt(cents) * UNITS_PER_CENT,
    );
    all[`${userIds[Number(user)]}/${currency}`] = { available: available!, reserved: reserved! };
  }
  return all;
};

/** Leaves out balances of zero. */
export const nonZero = (balances: Balances): Balances =>
  Object.fromEntries(Object.entries(balances).filter(([, { available, reserved }]) => available + reserved > 0n));

export const addUsers = async (fixture: Fixture, marketplaceId: string): Promise<string[]> => {
  const input = { baseCurrency: 'USD', email: null, type: 'BOTH', metadata: {} } as const;
  const created = Array.from({ length: USERS }, (_, i) =>
    fixture.submit(createUser, { ...input, externalUserId: `u${i}` }, { marketplaceId }),
  );
  return (await Promise.all(created)).map((outcome) => replyOf(outcome).user.id);
};
