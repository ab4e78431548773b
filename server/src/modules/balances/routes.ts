// Routes of balances and reservations, and their wiring.

import * as api from '@holdfast/contract/api/balances.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { ApprovalAction } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { DomainError } from '../../base/domain-error.ts';
import type { Balance } from '../../books/accounts.ts';
import { type Amount, formatExact, least, minus, plus, ZERO } from '../../books/money.ts';
import type { Weighed } from '../../http/approval-terms.ts';
import { badCursor, validAmount, validField } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { validationError } from '../../http/validation/messages.ts';
import { type creditBalance, debitBalance } from './adjust-balance.ts';
import { presentBalance, presentReservation } from './present.ts';
import {
  type BalanceReads,
  type BalanceRequest,
  createBalanceReads,
  createReservationReads,
  type ReservationReads,
} from './queries.ts';
import { cancelReservation, deductReserved, releaseBalance } from './release-reserved.ts';
import { reserveBalance } from './reserve-balance.ts';
import { type LedgerObservation, syncBalance } from './sync-balance.ts';

/** Compares with the ledger network; refuses when it cannot be read, or a transaction is in progress. */
export type OnLedger = {
  /** Null: the user has no active wallet on the ledger. */
  observe(request: BalanceRequest): Promise<LedgerObservation | null>;
  verify(request: BalanceRequest): Promise<{
    readonly address: string;
    readonly asset: string;
    readonly actual: Amount;
    readonly expected: Amount;
    /** The books' amount at the address in the requested currency. */
    readonly atAddress: Amount;
  }>;
};

type Parts = {
  readonly balances: BalanceReads;
  readonly reservations: ReservationReads;
  readonly baseCurrency: Currency;
  readonly onLedger: OnLedger;
  /** A credit may correct more than the balance. */
  readonly creditByHand: typeof creditBalance;
};
type UserParams = { readonly userId: string };
type MoneyRequest = { readonly params: UserParams; readonly body: Money };
type Money = { readonly amount: string; readonly currency?: Currency };
type Adjustment = Money & {
  readonly reference?: string;
  readonly description?: string;
  readonly counterAccount?: (typeof api.COUNTER_ACCOUNTS)[number];
};
type OfReserved = Money & { readonly orderId?: string; readonly reason?: string };

type Find = (request: BalanceRequest) => Promise<Balance>;

/** Refuses when there is no such user. */
const createFind =
  ({ balances }: Parts): Find =>
  async (request) => {
    const balance = await balances.find(request);
    if (!balance) throw new DomainError('USER_NOT_FOUND');
    return balance;
  };

/** The reference tells a repeated opening balance from another one. */
const requireReference = ({ counterAccount, reference }: Adjustment): void => {
  if (counterAccount !== 'opening_balances' || reference !== undefined) return;
  throw validationError([
    'reference is required with counterAccount opening_balances: it tells a repeated credit from another one',
  ]);
};

/** Routes that change a balance without the ledger. */
const moneyRoutes = ({ baseCurrency, creditByHand }: Parts): Route[] => {
  const adjustment = ({ params, body }: { params: UserParams; body: Adjustment }) => {
    requireReference(body);
    return {
      userId: params.userId,
      currency: body.currency ?? baseCurrency,
      amount: validAmount(body.amount),
      reference: body.reference ?? null,
      description: body.description ?? null,
      ...(body.counterAccount === undefined ? {} : { counterAccount: body.counterAccount }),
    };
  };
  const ofReserved = ({ params, body }: { params: UserParams; body: OfReserved }) => ({
    userId: params.userId,
    currency: body.currency ?? baseCurrency,
    amount: validField(body.amount),
    orderId: body.orderId ?? null,
    reason: body.reason ?? null,
  });
  const approvalOf = (action: ApprovalAction, read: (text: string) => Amount) => ({
    actions: [action],
    weighRequest: ({ params: { userId }, body: { amount, currency = baseCurrency } }: MoneyRequest): Weighed => ({
      action,
      amount: read(amount),
      currency,
      userId,
    }),
  });
  return [
    write(api.creditBalance, {
      command: creditByHand,
      input: adjustment,
      present: presentBalance,
      approval: approvalOf('balance.credit', validAmount),
    }),
    write(api.debitBalance, {
      command: debitBalance,
      input: adjustment,
      present: presentBalance,
      approval: approvalOf('balance.debit', validAmount),
    }),
    write(api.reserveBalance, { command: reserveBalance, input: ofReserved, present: presentBalance }),
    write(api.releaseBalance, { command: releaseBalance, input: ofReserved, present: presentBalance }),
    write(api.deductReserved, {
      command: deductReserved,
      input: ofReserved,
      present: presentBalance,
      // Reserved money that is taken for good is a debit.
      approval: approvalOf('balance.debit', validField),
    }),
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
  ];
};

/** Books the difference between ledger and books. */
const syncRoute = ({ baseCurrency, onLedger }: Parts, find: Find): Route =>
  write(api.syncBalance, {
    command: syncBalance,
    async input({ params, query, context }) {
      const balance = { userId: params.userId, currency: query.currency ?? baseCurrency };
      const request = { ...balance, marketplaceId: context.marketplaceId };
      await find(request);
      return { ...balance, observation: await onLedger.observe(request) };
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
  });

/** Compares ledger and books, and books nothing. */
const verifyRoute = ({ baseCurrency, onLedger }: Parts, find: Find): Route =>
  read(api.verifyBalance, async ({ params, query, context }) => {
    const currency = query.currency ?? baseCurrency;
    const request = { marketplaceId: context.marketplaceId, userId: params.userId, currency };
    await find(request);
    const { address, asset, actual, expected, atAddress } = await onLedger.verify(request);
    const balance = await find(request);
    const claims = plus(balance.available, balance.reserved);
    const difference = minus(actual, expected);
    return {
      isValid: difference === ZERO,
      offChainBalance: presentBalance(balance),
      onChainBalance: { address, balance: formatExact(actual), asset },
      heldInTreasury: formatExact(minus(claims, least(claims, atAddress))),
      difference: formatExact(difference),
    };
  });

const reservationRoute = ({ reservations }: Parts): Route =>
  list(api.listReservations, async ({ params: { id: userId }, query, context: { marketplaceId } }) => {
    const page = await reservations.list({
      ...query,
      marketplaceId,
      userId,
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: query.cursor ?? null,
    });
    if (!page) throw badCursor();
    if (page.rows.length === 0 && !(await reservations.hasUser(marketplaceId, userId))) {
      throw new DomainError('USER_NOT_FOUND');
    }
    return { items: page.rows.map(presentReservation), nextCursor: page.nextCursor };
  });

export const balanceRoutes = (parts: Parts): Route[] => {
  const find = createFind(parts);
  return [
    read(api.getBalance, async ({ params, query, context }) => {
      const currency = query.currency ?? parts.baseCurrency;
      return presentBalance(await find({ marketplaceId: context.marketplaceId, userId: params.userId, currency }));
    }),
    ...moneyRoutes(parts),
    syncRoute(parts, find),
    verifyRoute(parts, find),
    reservationRoute(parts),
  ];
};

type Options = Omit<Parts, 'balances' | 'reservations'> & { readonly pool: pg.Pool };

export const wireBalances = ({ pool, ...others }: Options): Route[] =>
  balanceRoutes({
    balances: createBalanceReads(pool),
    reservations: createReservationReads(pool),
    ...others,
  });
