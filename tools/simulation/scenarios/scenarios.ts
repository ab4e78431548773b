// What can happen to a user of a simulated marketplace, as plain data: how an order, a top-up, a withdrawal, a deposit or
// a row of manual changes is meant to go. Amounts are whole cents here, and units of 10^-7 where they meet the books.

import type { OrderChoices } from './plan-parts.ts';

export const ENDINGS = [
  'cancel-new',
  'cancel-reserved',
  'release',
  'refund',
  'dispute-release',
  'dispute-refund',
  'dispute-split',
  'leave-reserved',
  'leave-funded',
] as const;
export type Ending = (typeof ENDINGS)[number];

export type Currency = 'USD' | 'USDC' | 'XLM';

type Common = {
  /** Told with every record that it makes, so that it is found again whatever became of the answer. */
  readonly tag: string;
  /** The marketplace, and the people in it, by number. */
  readonly place: number;
  readonly user: number;
  readonly currency: Currency;
  readonly cents: number;
};

export type OrderScenario = Common &
  OrderChoices & {
    readonly kind: 'order';
    readonly seller: number;
    readonly milestones: readonly number[];
    /** In percent; null for the usual one. */
    readonly fee: number | null;
    readonly ending: Ending;
    /** The seller's part of a split. */
    readonly sellerCents: number;
    readonly openedBy: 'BUYER' | 'SELLER';
    /** How many of a hundred actions are asked for twice at once. */
    readonly twice: number;
    /** How many of a hundred actions the escrow provider tells of by itself. */
    readonly told: number;
  };

export type TopupMove =
  | 'confirm'
  | 'process'
  | 'fail'
  | 'cancel'
  | 'api-cancel'
  | 'refresh'
  | 'follow'
  /** The payer pays after the top-up has failed or been cancelled. */
  | 'confirm-late';

export type TopupScenario = Common & { readonly kind: 'topup'; readonly moves: readonly TopupMove[] };

export type PayoutMove = 'complete' | 'fail' | 'cancel' | 'pend' | 'require-action' | 'refresh';

export type WithdrawalScenario = Common & {
  readonly kind: 'withdrawal';
  readonly to: 'bank' | 'payment_account' | 'crypto';
  /** Together with its creation, in a call of its own, or not at all. */
  readonly commit: 'at-once' | 'later' | 'never';
  readonly moves: readonly PayoutMove[];
};

/** An outsider pays to the user's address, in units of 10^-7. */
export type DepositScenario = Common & { readonly kind: 'deposit'; readonly units: bigint };

export type AdjustMove =
  | 'credit'
  | 'debit'
  | 'reserve'
  | 'release'
  | 'deduct'
  | 'cancel-reservation'
  | 'verify'
  | 'sync';

export type AdjustScenario = Common & {
  readonly kind: 'adjust';
  readonly moves: readonly AdjustMove[];
  /** How many of a hundred moves are sent as a dry run first. */
  readonly previews: number;
};

export type Scenario = OrderScenario | TopupScenario | WithdrawalScenario | DepositScenario | AdjustScenario;

export const UNITS_PER_CENT = 100_000n;

export const unitsOf = (cents: number): bigint => BigInt(cents) * UNITS_PER_CENT;

export const textOf = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

/** Orders and payments that are to be brought to an end; the others are left, or are no lives of their own. */
export const isCounted = (scenario: Scenario): boolean => {
  if (scenario.kind === 'order') return !scenario.ending.startsWith('leave');
  return scenario.kind === 'topup' || (scenario.kind === 'withdrawal' && scenario.commit !== 'never');
};
