// Balances. Every change uses an Idempotency-Key, so a retry after a lost answer does not change the balance again.

import type { MaybePreview } from '../previews.ts';
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
  /** The balance in one currency; in the base currency when the query has none. */
  get: (userId: string, query: GetBalanceQuery = {}, options?: CallOptions): Promise<Balance> =>
    transport.call(ROUTES.getBalance, { params: { userId }, query }, options),

  /** Adds to the available balance. */
  credit: <O extends CallOptions>(
    userId: string,
    input: CreditBalanceInput,
    options?: O,
  ): Promise<MaybePreview<Balance, O>> =>
    transport.change<Balance, O>(ROUTES.creditBalance, { params: { userId }, body: input }, options),

  /** Subtracts from the available balance. Fails with INSUFFICIENT_FUNDS when it is too low. */
  debit: <O extends CallOptions>(
    userId: string,
    input: DebitBalanceInput,
    options?: O,
  ): Promise<MaybePreview<Balance, O>> =>
    transport.change<Balance, O>(ROUTES.debitBalance, { params: { userId }, body: input }, options),

  /** Reserves money for an order: moves it from available to reserved. Fails with INSUFFICIENT_FUNDS. */
  reserve: <O extends CallOptions>(
    userId: string,
    input: ReserveBalanceInput,
    options?: O,
  ): Promise<MaybePreview<Balance, O>> =>
    transport.change<Balance, O>(ROUTES.reserveBalance, { params: { userId }, body: input }, options),

  /** Moves part of the reserved money back to available. Fails with RESERVATION_EXCEEDED when less is reserved. */
  release: <O extends CallOptions>(
    userId: string,
    input: ReleaseBalanceInput,
    options?: O,
  ): Promise<MaybePreview<Balance, O>> =>
    transport.change<Balance, O>(ROUTES.releaseBalance, { params: { userId }, body: input }, options),

  /** Moves all money reserved for one order back to available. */
  cancelReservation: <O extends CallOptions>(
    userId: string,
    input: CancelReservationInput,
    options?: O,
  ): Promise<MaybePreview<Balance, O>> =>
    transport.change<Balance, O>(ROUTES.cancelReservation, { params: { userId }, body: input }, options),

  /** Removes reserved money permanently. */
  deductReserved: <O extends CallOptions>(
    userId: string,
    input: DeductReservedInput,
    options?: O,
  ): Promise<MaybePreview<Balance, O>> =>
    transport.change<Balance, O>(ROUTES.deductReserved, { params: { userId }, body: input }, options),

  /** Books the difference between the ledger and the books. */
  sync: (userId: string, query: SyncBalanceQuery = {}, options?: CallOptions): Promise<SyncBalanceResult> =>
    transport.call(ROUTES.syncBalance, { params: { userId }, query }, options),

  /** Compares the books with the ledger; changes nothing. */
  verify: (userId: string, query: VerifyBalanceQuery = {}, options?: CallOptions): Promise<VerifyBalanceResult> =>
    transport.call(ROUTES.verifyBalance, { params: { userId }, query }, options),
});
