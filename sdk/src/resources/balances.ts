// What a user has. Every change takes an Idempotency-Key, so a repeat after a lost answer changes nothing again.

import type {
  Balance,
  CancelReservationInput,
  CreditBalanceInput,
  DebitBalanceInput,
  DeductReservedInput,
  GetBalanceQuery,
  ReleaseBalanceInput,
  ReserveBalanceInput,
  SyncBalanceQuery,
  SyncBalanceResult,
  VerifyBalanceQuery,
  VerifyBalanceResult,
} from '../printed/balances.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const balanceResource = (transport: Transport) => ({
  /** Of one currency; the base currency when the query names none. */
  get: (userId: string, query: GetBalanceQuery = {}, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.getBalance, { params: { userId }, query }, options),

  /** Adds to what is available. */
  credit: (userId: string, input: CreditBalanceInput, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.creditBalance, { params: { userId }, body: input }, options),

  /** Takes from what is available. Fails with INSUFFICIENT_FUNDS when that is too little. */
  debit: (userId: string, input: DebitBalanceInput, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.debitBalance, { params: { userId }, body: input }, options),

  /** Sets money aside for an order: from available to reserved, the total stays. Fails with INSUFFICIENT_FUNDS. */
  reserve: (userId: string, input: ReserveBalanceInput, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.reserveBalance, { params: { userId }, body: input }, options),

  /** Makes a part of what is set aside available again. Fails with RESERVATION_EXCEEDED when it is less. */
  release: (userId: string, input: ReleaseBalanceInput, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.releaseBalance, { params: { userId }, body: input }, options),

  /** Makes everything available again that is set aside for one order. */
  cancelReservation: (userId: string, input: CancelReservationInput, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.cancelReservation, { params: { userId }, body: input }, options),

  /** Takes away what is set aside. */
  deductReserved: (userId: string, input: DeductReservedInput, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.deductReserved, { params: { userId }, body: input }, options),

  /** Books what the ledger shows and the books do not. */
  sync: (userId: string, query: SyncBalanceQuery = {}, options?: CallOptions): Promise<SyncBalanceResult> =>
    transport.call(ROUTES.syncBalance, { params: { userId }, query }, options),

  /** Compares the books with the ledger; changes nothing. */
  verify: (userId: string, query: VerifyBalanceQuery = {}, options?: CallOptions): Promise<VerifyBalanceResult> =>
    transport.call(ROUTES.verifyBalance, { params: { userId }, query }, options),
});
