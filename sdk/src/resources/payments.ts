// Top-ups through the payment provider, and withdrawals through the payment provider or over the ledger.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CancelTopupInput, CreateTopupInput, ListTopupsQuery, TopUp } from '../printed/topups.ts';
import type { CreateWithdrawalInput, ListWithdrawalsQuery, Withdrawal } from '../printed/withdrawals.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const topupResource = (transport: Transport) => ({
  /** Creates a top-up. The answer contains the URL where the payer confirms it. */
  create: <O extends CallOptions>(input: CreateTopupInput, options?: O): Promise<MaybePreview<TopUp, O>> =>
    transport.change<TopUp, O>(ROUTES.createTopup, { body: input }, options),

  /** The top-up as the service knows it; `refresh` checks with the payment provider. */
  get: (id: string, options?: CallOptions): Promise<TopUp> =>
    transport.call(ROUTES.getTopup, { params: { id } }, options),

  /** All top-ups, or those that match the query. */
  list: (query: ListTopupsQuery = {}, options?: CallOptions): List<TopUp> =>
    listing(transport, ROUTES.listTopups, { query, options }),

  /** Checks with the payment provider now. */
  refresh: (id: string, options?: CallOptions): Promise<TopUp> =>
    transport.call(ROUTES.refreshTopup, { params: { id } }, options),

  /** Cancels the top-up while nothing has been paid. */
  cancel: <O extends CallOptions>(
    id: string,
    input: CancelTopupInput = {},
    options?: O,
  ): Promise<MaybePreview<TopUp, O>> =>
    transport.change<TopUp, O>(ROUTES.cancelTopup, { params: { id }, body: input }, options),

  /** The URL that the payment provider returns the payer's browser to. Needs no key. */
  callbackUrl: (id: string): string => transport.urlOf(ROUTES.followTopup, { params: { id } }),
});

/** Committed, and not cancelled or failed afterwards. */
const isCommitted = ({ status }: Withdrawal): boolean =>
  !['WITHDRAWAL_CREATED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'].includes(status);

export const withdrawalResource = (transport: Transport) => {
  const get = (id: string, options?: CallOptions): Promise<Withdrawal> =>
    transport.call(ROUTES.getWithdrawal, { params: { id } }, options);

  return {
    /** Creates a withdrawal and reserves the amount; with `commit` it is paid out at once. */
    create: <O extends CallOptions>(input: CreateWithdrawalInput, options?: O): Promise<MaybePreview<Withdrawal, O>> =>
      transport.change<Withdrawal, O>(ROUTES.createWithdrawal, { body: input }, options),

    /** The withdrawal as the service knows it; `refresh` checks with the payment provider or the ledger. */
    get,

    /** All withdrawals, or those that match the query. */
    list: (query: ListWithdrawalsQuery = {}, options?: CallOptions): List<Withdrawal> =>
      listing(transport, ROUTES.listWithdrawals, { query, options }),

    /** Pays the withdrawal out. When the provider is slow, returns the withdrawal in its current state. */
    commit: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Withdrawal, O>> =>
      transport.change<Withdrawal, O>(
        ROUTES.commitWithdrawal,
        {
          params: { id },
          async settle() {
            const withdrawal = await get(id, options);
            return isCommitted(withdrawal) ? withdrawal : null;
          },
        },
        options,
      ),

    /** Checks with the payment provider or the ledger now. */
    refresh: (id: string, options?: CallOptions): Promise<Withdrawal> =>
      transport.call(ROUTES.refreshWithdrawal, { params: { id } }, options),
  };
};
