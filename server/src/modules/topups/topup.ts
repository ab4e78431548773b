// Money that a user pays in through the payment provider. The provider stores our id as the code of the payment, so a pay-in
// whose answer was lost is found again.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { TopUpStatus } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';

export type TopUp = {
  readonly id: string;
  readonly userId: string;
  readonly amount: Amount;
  readonly currency: Currency;
  readonly description: string | null;
  readonly status: TopUpStatus;
  /** Null until the provider has answered. */
  readonly providerPayinId: string | null;
  /** The credentials that the top-up began with and is finished with. Null: those of the shared account. */
  readonly credentialsId: string | null;
  /** The account at the provider where the money is. Null: the account that all marketplaces share. */
  readonly providerAccount: string | null;
  /** Where the payer is sent. */
  readonly confirmationUri: string | null;
  /** Where the payer goes from our callback. */
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  /** Who requested the cancellation. The provider decides whether the top-up is cancelled. */
  readonly cancelAsk: CancelRequest | null;
  readonly failureReason: string | null;
  readonly errorCode: string | null;
  /** The provider's fee; null until the provider has reported it. */
  readonly fee: Amount | null;
  /** What was paid after the top-up had ended, as the provider's record says. Null: nothing is known to have been paid late. */
  readonly lateAmount: Amount | null;
  /** When an operator credited the ended top-up by hand. A payment that comes late is then not credited. */
  readonly correctedAt: string | null;
  /** Hash of the caller and its Idempotency-Key; null without a key. */
  readonly requestKey: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

type CancelRequest = { readonly by: string; readonly reason: string | null };

/** The states that the provider can report. */
export type ReportedStatus = Exclude<TopUpStatus, 'TOPUP_CREATED'>;

const ENDS: readonly TopUpStatus[] = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];

export const isEnded = ({ status }: Pick<TopUp, 'status'>): boolean => ENDS.includes(status);

declare module '../../commit/tables.ts' {
  interface Tables {
    topups: TopUp;
  }
  interface Lookups {
    topups: { requestKey: string };
  }
}

export const TOPUPS = table('topups', {
  notFound: 'TOPUP_NOT_FOUND',
  sql: 'topups',
  columns: [
    'id',
    'userId',
    'amount',
    'currency',
    'description',
    'status',
    'providerPayinId',
    'credentialsId',
    'providerAccount',
    'confirmationUri',
    'returnUrl',
    'cancelUrl',
    'cancelAsk',
    'failureReason',
    'errorCode',
    'fee',
    'lateAmount',
    'correctedAt',
    'requestKey',
    'createdAt',
    'updatedAt',
  ],
  lookups: {
    requestKey: {
      sql: 't.request_key',
      where: { sql: 't.request_key is not null', holds: (row) => row.requestKey !== null },
      value: (row) => row.requestKey ?? '',
    },
  },
});
