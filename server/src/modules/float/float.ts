// The float of a marketplace: its own share of the money at the payment provider. Only this file decides how much of it may still be
// paid out. The provider counts in dollars, so a payout in a pegged currency takes from the same float.

import { PAYABLE_CURRENCIES } from '@holdfast/contract/api/topups.ts';
import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Account, floatOwed, paymentFloat } from '../../books/accounts.ts';
import { type Amount, formatAmount, least, minus, negated, plus, sumOf, ZERO } from '../../books/money.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

export type Float = {
  /** The currency. */
  readonly id: string;
  /** The operator's part of the float, which can be taken back. Payouts use the deposits first, and then this part. */
  readonly allotted: Amount;
  /** What the open withdrawals through the payment provider will take from the float. */
  readonly pendingPayouts: Amount;
  /** How far below zero the operator lets the float go. */
  readonly creditLine: Amount;
  readonly createdAt: string;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    floats: Float;
  }
  interface Lookups {
    floats: Record<never, string>;
  }
}

export const FLOATS = table('floats', {
  notFound: 'INTERNAL_ERROR',
  sql: 'floats',
  columns: ['id', 'allotted', 'pendingPayouts', 'creditLine', 'createdAt', 'updatedAt'],
  lookups: {},
});

/** The currency of the provider's balance. */
export const FLOAT_CURRENCY = 'USD' as const;

/** The accounts that together are the float. What was paid from the money of others counts against what is held. */
export const floatAccounts = (providerAccount: string | null): Account[] => [
  ...PAYABLE_CURRENCIES.map((currency) => paymentFloat(currency, providerAccount)),
  ...PAYABLE_CURRENCIES.map((currency) => floatOwed(currency, providerAccount)),
];

/** At the account that all marketplaces share. Only this money needs a limit: at an own account a marketplace can pay only its own. */
const FLOAT_ACCOUNTS = floatAccounts(null);

/** What a command needs that pays from the float or adds to it. */
export const FLOAT_NEEDS: Required<Needs> = {
  rows: [{ table: 'floats', id: FLOAT_CURRENCY }],
  accounts: FLOAT_ACCOUNTS,
};

export type FloatFigures = Pick<Float, 'allotted' | 'pendingPayouts' | 'creditLine'> & {
  /** Less what was paid from the money of others, so it may be below zero. */
  readonly held: Amount;
};

/** What may still be paid out. Below zero when the held amount or the credit line has shrunk since the payouts were promised. */
const availableOf = ({ held, creditLine, pendingPayouts }: FloatFigures): Amount =>
  minus(plus(held, creditLine), pendingPayouts);

/** How much of the credit line the paid and the promised payouts use. */
const creditUsedOf = ({ held, pendingPayouts }: FloatFigures): Amount =>
  held < pendingPayouts ? minus(pendingPayouts, held) : ZERO;

export const presentFloat = (figures: FloatFigures) => ({
  currency: FLOAT_CURRENCY,
  held: formatAmount(figures.held),
  allotted: formatAmount(figures.allotted),
  pendingPayouts: formatAmount(figures.pendingPayouts),
  creditLine: formatAmount(figures.creditLine),
  creditUsed: formatAmount(creditUsedOf(figures)),
  available: formatAmount(availableOf(figures)),
});

const notBelowZero = (amount: Amount): Amount => (amount < ZERO ? ZERO : amount);

const emptyFloat = (now: string): Float => ({
  id: FLOAT_CURRENCY,
  allotted: ZERO,
  pendingPayouts: ZERO,
  creditLine: ZERO,
  createdAt: now,
  updatedAt: now,
});

const rowOf = (work: UnitOfWork): Float => work.find('floats', FLOAT_CURRENCY) ?? emptyFloat(work.now);

export const floatOf = (work: UnitOfWork): FloatFigures => {
  const { allotted, pendingPayouts, creditLine } = rowOf(work);
  const held = negated(sumOf(FLOAT_ACCOUNTS.map((account) => work.balance(account))));
  return { held, allotted, pendingPayouts, creditLine };
};

/** Adds money of the operator to the float, or takes it away. */
export const changeAllotted = (work: UnitOfWork, amount: Amount): void => {
  const { allotted } = rowOf(work);
  changeFloat(work, { allotted: notBelowZero(plus(allotted, amount)) });
};

export const changeFloat = (work: UnitOfWork, change: Partial<Omit<Float, 'id'>>): void =>
  work.put('floats', { ...rowOf(work), ...change, updatedAt: work.now });

const WAY_OUT =
  'It grows with top-ups of its own users; the operator can allot float to the marketplace or grant it a credit line.';

/** Refuses with the figures of the float. */
export const floatTooLow = (
  figures: FloatFigures,
  { requested, what, ways = WAY_OUT }: { requested: Amount; what: string; ways?: string },
): DomainError => {
  const { held, pendingPayouts, creditLine, available, currency } = presentFloat(figures);
  const amount = formatAmount(requested);
  return new DomainError('INSUFFICIENT_FUNDS', {
    message: `The float of the marketplace at the payment provider is too low for ${what}. ${ways} Nothing has changed.`,
    details: {
      requested: amount,
      available,
      currency,
      float: { held, pendingPayouts, creditLine, available, requested: amount, currency },
    },
  });
};

/** The float may be larger than the books know, so the refusal must not be a no. */
export const floatUnread = (): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message:
      'The float at the payment provider could not be read yet. Nothing has changed; try again in a few seconds.',
    details: { provider: 'payment-provider' },
  });

type Claim = {
  readonly amount: Amount;
  /** False: what the provider held before the first payment is not in the books yet. */
  readonly isFloatOpened: boolean;
};

/** A new payout promises its amount from the float. */
export const claimFloat = (work: UnitOfWork, { amount, isFloatOpened }: Claim): void => {
  const figures = floatOf(work);
  if (amount > availableOf(figures)) {
    throw isFloatOpened ? floatTooLow(figures, { requested: amount, what: 'this withdrawal' }) : floatUnread();
  }
  changeFloat(work, { pendingPayouts: plus(figures.pendingPayouts, amount) });
};

/** The promise of a withdrawal that is never committed ends when it expires. */
const WAY_OUT_OF_PROMISES = `${WAY_OUT} Open withdrawals that are not committed expire and give their part back.`;

/** Refuses to begin a promised payout when the float has become too small for all of the promised ones. */
export const requireFloat = (work: UnitOfWork, amount: Amount): void => {
  const figures = floatOf(work);
  if (availableOf(figures) < ZERO)
    throw floatTooLow(figures, { requested: amount, what: 'its open withdrawals', ways: WAY_OUT_OF_PROMISES });
};

/**
 * The payout was paid, or certainly will not be. The provider's word is booked whatever the row says, so it never goes below zero. What
 * the payout used of the operator's part cannot be taken back any more: later deposits belong to users.
 */
export const endClaim = (work: UnitOfWork, amount: Amount): void => {
  const { pendingPayouts, allotted, held } = floatOf(work);
  changeFloat(work, {
    pendingPayouts: minus(pendingPayouts, least(amount, pendingPayouts)),
    allotted: least(allotted, notBelowZero(held)),
  });
};

type Covered = {
  readonly currency: Currency;
  readonly amount: Amount;
  readonly reference: string;
  /** Null: the account that all marketplaces share. */
  readonly providerAccount: string | null;
};

/**
 * Covers what the account lacks for a payment that was made. The provider has paid, so this is never refused: a loan beyond the credit
 * line is a break that reconciliation shows.
 */
export const coverFloat = (work: UnitOfWork, { currency, amount, ...of }: Covered): void => {
  const held = negated(work.balance(paymentFloat(currency, of.providerAccount)));
  const missing = minus(amount, least(amount, held));
  if (missing > ZERO) work.move('float_loan', { ...of, currency, amount: missing });
};
