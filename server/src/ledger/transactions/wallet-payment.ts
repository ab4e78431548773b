// How commands book a payment from one of our addresses on the ledger. The books may hold one asset at an address in several
// currencies: what the paid currency lacks is exchanged from the others, through the operator's account.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { InternalRefusal } from '../../base/domain-error.ts';
import { type Account, adjustments, walletHolding } from '../../books/accounts.ts';
import { type Amount, formatExact, least, minus, negated, ZERO } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { assetOf } from '../keys/wallet.ts';

type Spent = { readonly currency: Currency; readonly amount: Amount };

/** A spending that nothing in the books explains, or a payment of our own that explains an earlier one. */
export type AtAddress = { readonly address: string; readonly currency: Currency; readonly amount: Amount };

const siblingsOf = (currency: Currency): Currency[] =>
  CURRENCIES.filter((other) => other !== currency && assetOf(other) === assetOf(currency));

/** What the books hold at an address of ours. */
export const held = (work: UnitOfWork, { address, currency }: { address: string; currency: Currency }): Amount =>
  negated(work.balance(walletHolding(address, currency)));

/** The accounts that a spending from an address changes, except the receiver's. */
export const spendingAccounts = (address: string, currency: Currency): Account[] =>
  [currency, ...siblingsOf(currency)].flatMap((each) => [walletHolding(address, each), adjustments(each)]);

/** Exchanges what the other currencies hold at the address into the wanted one, up to what it lacks. Returns what still lacks. */
const gather = (
  work: UnitOfWork,
  { address, reference, ...spent }: Spent & { address: string; reference: string },
): Amount => {
  const { currency } = spent;
  let lack = minus(spent.amount, least(spent.amount, held(work, { address, currency })));
  for (const other of siblingsOf(currency)) {
    const amount = least(lack, held(work, { address, currency: other }));
    if (amount === ZERO) continue;
    work.move('exchange_out', { address, currency: other, amount, reference });
    work.move('exchange_in', { toAddress: address, currency, amount, reference });
    lack = minus(lack, amount);
  }
  return lack;
};

/** The ledger let an address spend more than the books hold there. Perhaps a deposit is not recorded yet. */
export class BooksBehind extends InternalRefusal {
  constructor(address: string) {
    super(`The books hold less at ${address} than it spent. Record its deposits first.`);
  }
}

export type Spending = {
  readonly unexplained: readonly AtAddress[];
  /** Afterwards the books hold at the address what it spent, so that a move can debit it. */
  from(address: string, spent: Spent): void;
};

type Settled = {
  readonly reference: string;
  readonly depositsApplied: boolean;
  /** The ledger that the transaction is in. Null: in none, so it has spent nothing. */
  readonly ledger: number | null;
};

/**
 * `depositsApplied`: all deposits that could explain a spending are in the books. The ledger let the rest be spent, so it was
 * there: it is booked as the operator's gain. Without `depositsApplied` such a spending is refused with BooksBehind.
 */
export const openSpending = (work: UnitOfWork, of: Settled): Spending => {
  const unexplained: AtAddress[] = [];
  return {
    unexplained,
    from(address, { currency, amount }) {
      const lack = gather(work, { address, currency, amount, reference: of.reference });
      if (lack === ZERO) return;
      if (!of.depositsApplied) throw new BooksBehind(address);
      if (of.ledger === null) throw new Error(`a transaction that is in no ledger has spent ${formatExact(lack)}`);
      work.move('unexplained', { address, currency, amount: lack, reference: of.reference });
      unexplained.push({ address, currency, amount: lack });
    },
  };
};
