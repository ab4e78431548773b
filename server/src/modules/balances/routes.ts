// Balance routes.

import * as api from '@holdfast/contract/api/balances.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatExact, least, minus, plus, ZERO } from '../../books/money.ts';
import { validAmount, validField } from '../../http/checked-values.ts';
import { type Route, read, write } from '../../http/route.ts';
import { creditBalance, debitBalance } from './adjust-balance.ts';
import { cancelReservation } from './cancel-reservation.ts';
import { presentBalance } from './present.ts';
import type { BalanceReads } from './queries.ts';
import { reserveBalance } from './reserve-balance.ts';
import { type LedgerObservation, syncBalance } from './sync-balance.ts';
import { deductReserved, releaseBalance } from './take-reserved.ts';

type Ask = { readonly marketplaceId: string; readonly userId: string; readonly currency: Currency };

/** Compares with the ledger network; refuses when it cannot be asked, or something is on its way there. */
export type OnLedger = {
  /** Null: nothing of the user's is on the ledger. */
  observe(ask: Ask): Promise<LedgerObservation | null>;
  verify(ask: Ask): Promise<{
    readonly address: string;
    readonly asset: string;
    readonly actual: Amount;
    readonly expected: Amount;
    /** What the books have at the address in the currency that was asked for. */
    readonly atAddress: Amount;
  }>;
};

type Parts = {
  readonly balances: BalanceReads;
  readonly baseCurrency: Currency;
  readonly onLedger: OnLedger;
};
type UserParams = { readonly userId: string };
type Money = { readonly amount: string; readonly currency?: Currency };
type ByHand = Money & { readonly reference?: string; readonly description?: string };
type OfReserved = Money & { readonly orderId?: string; readonly reason?: string };

export const balanceRoutes = ({ balances, baseCurrency, onLedger }: Parts): Route[] => {
  const find = async (ask: Ask) => {
    const balance = await balances.find(ask);
    if (!balance) throw new DomainError('USER_NOT_FOUND');
    return balance;
  };

  const byHand = ({ params, body }: { params: UserParams; body: ByHand }) => ({
    userId: params.userId,
    currency: body.currency ?? baseCurrency,
    amount: validAmount(body.amount),
    reference: body.reference ?? null,
    description: body.description ?? null,
  });

  const ofReserved = ({ params, body }: { params: UserParams; body: OfReserved }) => ({
    userId: params.userId,
    currency: body.currency ?? baseCurrency,
    amount: validField(body.amount),
    orderId: body.orderId ?? null,
    reason: body.reason ?? null,
  });

  return [
    read(api.getBalance, async ({ params, query, context }) =>
      presentBalance(
        await find({
          marketplaceId: context.marketplaceId,
          userId: params.userId,
          currency: query.currency ?? baseCurrency,
        }),
      ),
    ),
    write(api.creditBalance, { command: creditBalance, input: byHand, present: presentBalance }),
    write(api.debitBalance, { command: debitBalance, input: byHand, present: presentBalance }),
    write(api.reserveBalance, { command: reserveBalance, input: ofReserved, present: presentBalance }),
    write(api.releaseBalance, { command: releaseBalance, input: ofReserved, present: presentBalance }),
    write(api.deductReserved, { command: deductReserved, input: ofReserved, present: presentBalance }),
    write(api.cancelReservation, {
      command: cancelReservation,
      input: ({ params, body }) => ({
        userId: params.userId,
        orderId: body.orderId,
        reason: body.reason ?? null,
        baseCurrency,
      }),
      present: presentBalance,
    }),
    write(api.syncBalance, {
      command: syncBalance,
      async input({ params, query, context }) {
        const purse = { userId: params.userId, currency: query.currency ?? baseCurrency };
        const ask = { ...purse, marketplaceId: context.marketplaceId };
        await find(ask);
        return { ...purse, observation: await onLedger.observe(ask) };
      },
      present({ previous, current, difference }) {
        const adjustment = minus(current.available, previous.available);
        return {
          synced: true,
          previousBalance: presentBalance(previous),
          currentBalance: presentBalance(current),
          discrepancyDetected: difference !== ZERO,
          adjustment: adjustment === ZERO ? null : formatExact(adjustment),
        };
      },
    }),
    read(api.verifyBalance, async ({ params, query, context }) => {
      const currency = query.currency ?? baseCurrency;
      const ask = { marketplaceId: context.marketplaceId, userId: params.userId, currency };
      await find(ask);
      const { address, asset, actual, expected, atAddress } = await onLedger.verify(ask);
      const balance = await find(ask);
      const claims = plus(balance.available, balance.reserved);
      const difference = minus(actual, expected);
      return {
        isValid: difference === ZERO,
        offChainBalance: presentBalance(balance),
        onChainBalance: { address, balance: formatExact(actual), asset },
        heldInTreasury: formatExact(minus(claims, least(claims, atAddress))),
        difference: formatExact(difference),
      };
    }),
  ];
};
