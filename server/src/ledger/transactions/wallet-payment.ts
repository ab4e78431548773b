// How commands book what one of our addresses paid on the ledger. An asset may be held there in the books of several
// currencies: what the wanted one lacks is taken from the others, through the operator, and never from nowhere.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Account, adjustments, walletHolding } from '../../books/accounts.ts';
import { type Amount, formatExact, least, minus, negated, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { move } from '../../commit/money.ts';
import { assetOf } from '../keys/wallet.ts';

type Spent = { readonly currency: Currency; readonly amount: Amount };

/** What was spent without anything in the books to explain it, as the audit entry shows it. */
export type Unexplained = { readonly address: string; readonly currency: Currency; readonly amount: string };

const siblingsOf = (currency: Currency): Currency[] =>
  CURRENCIES.filter((other) => other !== currency && assetOf(other) === assetOf(currency));

/** What the books hold at an address of ours. */
export const held = (work: UnitOfWork, address: string, currency: Currency): Amount =>
  negated(work.balance(walletHolding(address, currency)));

/** The accounts that spending from an address touches, but for where it goes. */
export const spendingAccounts = (address: string, currency: Currency): Account[] =>
  [currency, ...siblingsOf(currency)].flatMap((each) => [walletHolding(address, each), adjustments(each)]);

/** Brings what the other currencies hold at the address into the wanted one, as far as that lacks it; answers the rest. */
const gather = (
  work: UnitOfWork,
  { address, reference, ...spent }: Spent & { address: string; reference: string },
): Amount => {
  const { currency } = spent;
  let lack = minus(spent.amount, least(spent.amount, held(work, address, currency)));
  for (const other of siblingsOf(currency)) {
    const amount = least(lack, held(work, address, other));
    if (amount === ZERO) continue;
    move(work, 'exchange_out', { address, currency: other, amount, reference });
    move(work, 'exchange_in', { toAddress: address, currency, amount, reference });
    lack = minus(lack, amount);
  }
  return lack;
};

/** The ledger let an address spend what the books do not know of yet: perhaps a deposit that has not been taken in. */
const booksBehind = (address: string): DomainError =>
  new DomainError('INVALID_STATE', {
    message: `The books know of less at ${address} than it spent. Take in its deposits first.`,
    details: { currentState: 'BOOKS_BEHIND', allowedActions: [] },
  });

export type Spending = {
  readonly unexplained: readonly Unexplained[];
  /** After this the books hold at the address what it spent, so that a move can take it from there. */
  from(address: string, spent: Spent): void;
};

/**
 * `depositsApplied`: whatever could explain a spending is in the books by now. What still lacks was there all the same, because
 * the ledger let it be spent: it is booked as the operator's gain. Without it such a spending is refused.
 */
export const openSpending = (work: UnitOfWork, of: { reference: string; depositsApplied: boolean }): Spending => {
  const unexplained: Unexplained[] = [];
  return {
    unexplained,
    from(address, { currency, amount }) {
      const lack = gather(work, { address, currency, amount, reference: of.reference });
      if (lack === ZERO) return;
      if (!of.depositsApplied) throw booksBehind(address);
      move(work, 'unexplained', { address, currency, amount: lack, reference: of.reference });
      unexplained.push({ address, currency, amount: formatExact(lack) });
    },
  };
};
