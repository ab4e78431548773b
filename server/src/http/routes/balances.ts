// Balance routes.

import * as api from '@holdfast/contract/api/balances.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { creditBalance, debitBalance } from '../../commands/adjust-balance.ts';
import { cancelReservation } from '../../commands/cancel-reservation.ts';
import { reserveBalance } from '../../commands/reserve-balance.ts';
import { syncBalance } from '../../commands/sync-balance.ts';
import { deductReserved, releaseBalance } from '../../commands/take-reserved.ts';
import { Fault } from '../../domain/fault.ts';
import { formatAmount, minus, plus } from '../../domain/money.ts';
import type { BalanceReads } from '../../store/reads/balances.ts';
import { type Route, read, write } from '../door.ts';
import { presentBalance } from '../present/balance.ts';
import { validAmount, validField } from './amounts.ts';

type Parts = { readonly balances: BalanceReads; readonly baseCurrency: Currency };
type UserParams = { readonly userId: string };
type Money = { readonly amount: string; readonly currency?: Currency };
type ByHand = Money & { readonly reference?: string; readonly description?: string };
type OfReserved = Money & { readonly orderId?: string; readonly reason?: string };

export const balanceRoutes = ({ balances, baseCurrency }: Parts): Route[] => {
  const find = async (ask: { marketplaceId: string; userId: string; currency: Currency }) => {
    const balance = await balances.find(ask);
    if (!balance) throw new Fault('USER_NOT_FOUND');
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
      input: ({ params }) => ({ userId: params.userId, currency: baseCurrency }),
      present: ({ previous, current }) => ({
        synced: true,
        previousBalance: presentBalance(previous),
        currentBalance: presentBalance(current),
        discrepancyDetected: false,
        adjustment: null,
      }),
    }),
    read(api.verifyBalance, async ({ params, context }) => {
      const ask = { marketplaceId: context.marketplaceId, userId: params.userId, currency: baseCurrency };
      const balance = await find(ask);
      const derived = await balances.derive(ask);
      const difference = minus(plus(balance.available, balance.reserved), derived);
      return {
        isValid: difference === 0n,
        offChainBalance: presentBalance(balance),
        onChainBalance: { address: `books:${params.userId}`, balance: formatAmount(derived), asset: baseCurrency },
        difference: formatAmount(difference),
      };
    }),
  ];
};
