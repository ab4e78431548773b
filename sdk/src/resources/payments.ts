// Money in and out through the payment provider, and out over the ledger.

import { type List, listing } from '../pages.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CancelTopupInput, CreateTopupInput, ListTopupsQuery, TopUp } from '../printed/topups.ts';
import type { CreateWithdrawalInput, ListWithdrawalsQuery, Withdrawal } from '../printed/withdrawals.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const topupResource = (transport: Transport) => ({
  /** The answer says where the payer confirms it. */
  create: (input: CreateTopupInput, options?: CallOptions): Promise<TopUp> =>
    transport.call(ROUTES.createTopup, { body: input }, options),

  /** As the service knows it; `refresh` asks the payment provider. */
  get: (id: string, options?: CallOptions): Promise<TopUp> =>
    transport.call(ROUTES.getTopup, { params: { id } }, options),

  /** All top-ups, or those that the query describes. */
  list: (query: ListTopupsQuery = {}, options?: CallOptions): List<TopUp> =>
    listing(transport, ROUTES.listTopups, { query, options }),

  /** Asks the payment provider now. */
  refresh: (id: string, options?: CallOptions): Promise<TopUp> =>
    transport.call(ROUTES.refreshTopup, { params: { id } }, options),

  /** Calls it off while nothing was paid. */
  cancel: (id: string, input: CancelTopupInput = {}, options?: CallOptions): Promise<TopUp> =>
    transport.call(ROUTES.cancelTopup, { params: { id }, body: input }, options),

  /** Where the payment provider sends the payer's browser back to; needs no key. */
  callbackUrl: (id: string): string => transport.urlOf(ROUTES.followTopup, { params: { id } }),
});

/** Committed, and not undone again. */
const isCommitted = ({ status }: Withdrawal): boolean =>
  !['WITHDRAWAL_CREATED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'].includes(status);

export const withdrawalResource = (transport: Transport) => {
  const get = (id: string, options?: CallOptions): Promise<Withdrawal> =>
    transport.call(ROUTES.getWithdrawal, { params: { id } }, options);

  return {
    /** Sets the amount aside; with `commit` it is paid out at once. */
    create: (input: CreateWithdrawalInput, options?: CallOptions): Promise<Withdrawal> =>
      transport.call(ROUTES.createWithdrawal, { body: input }, options),

    /** As the service knows it; `refresh` asks whoever pays it. */
    get,

    /** All withdrawals, or those that the query describes. */
    list: (query: ListWithdrawalsQuery = {}, options?: CallOptions): List<Withdrawal> =>
      listing(transport, ROUTES.listWithdrawals, { query, options }),

    /** Pays it out. When the payer is slow the answer is the withdrawal as it is by then. */
    commit: (id: string, options?: CallOptions): Promise<Withdrawal> =>
      transport.call<Withdrawal>(
        ROUTES.commitWithdrawal,
        { params: { id } },
        {
          ...options,
          async settle() {
            const withdrawal = await get(id, options);
            return isCommitted(withdrawal) ? withdrawal : null;
          },
        },
      ),

    /** Asks whoever pays it now. */
    refresh: (id: string, options?: CallOptions): Promise<Withdrawal> =>
      transport.call(ROUTES.refreshWithdrawal, { params: { id } }, options),
  };
};
