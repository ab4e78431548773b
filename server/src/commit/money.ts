// How commands read balances and move money: by the rows of the moves table and in no other way.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../base/domain-error.ts';
import { type Account, available, type Balance, reserved } from '../books/accounts.ts';
import { type Amount, formatAmount, negated } from '../books/money.ts';
import { MOVES, type MoveName, type Parties } from '../books/moves.ts';
import type { Needs, Posting, UnitOfWork } from './command.ts';

export type BalanceKey = { readonly userId: string; readonly currency: Currency };

/** The rows of a balance command: the user, the user's two accounts, and those that the moves touch. */
export const balanceNeeds = ({ userId, currency }: BalanceKey, moves: readonly MoveName[]): Required<Needs> => ({
  rows: [{ table: 'users', id: userId }],
  accounts: withAccountsOf(moves, {
    parties: { userId, currency },
    accounts: [available(userId, currency), reserved(userId, currency)],
  }),
});

type Named = { readonly parties: Parties; readonly accounts: Account[] };

/** Adds the accounts of the moves that are not among them yet. */
const withAccountsOf = (moves: readonly MoveName[], { parties, accounts }: Named): Account[] => {
  for (const name of moves) {
    for (const account of accountsOf(name, parties)) if (!accounts.includes(account)) accounts.push(account);
  }
  return accounts;
};

const later = (one: string | null, other: string | null): string | null =>
  one !== null && (other === null || one > other) ? one : other;

/** Refuses when there is no such user. */
export const balanceOf = (work: UnitOfWork, { userId, currency }: BalanceKey): Balance => {
  const user = work.get('users', userId);
  const ofAvailable = available(userId, currency);
  const ofReserved = reserved(userId, currency);
  const availableAt = work.touchedAt(ofAvailable);
  const reservedAt = work.touchedAt(ofReserved);
  return {
    userId,
    currency,
    available: work.balance(ofAvailable),
    reserved: work.balance(ofReserved),
    updatedAt: later(availableAt, reservedAt) ?? user.createdAt,
  };
};

export type Transfer = BalanceKey & {
  readonly amount: Amount;
  readonly reference?: string | null;
  readonly description?: string | null;
};

/** An amount and whatever parties its move reads. */
export type Moving = Parties & Omit<Transfer, 'userId'>;

/** The accounts that a move touches. */
export const accountsOf = (name: MoveName, parties: Parties): Account[] => [
  MOVES[name].from(parties),
  MOVES[name].to(parties),
];

/** The posting of a move: its row names the two accounts. */
export const postingOf = (name: MoveName, transfer: Moving): Posting => ({
  from: MOVES[name].from(transfer),
  to: MOVES[name].to(transfer),
  amount: transfer.amount,
  move: name,
  reference: transfer.reference ?? null,
  description: transfer.description ?? null,
});

export const assertPostable = ({ from, to, amount }: Posting): void => {
  if (amount <= 0n) throw new Error(`a posting of ${amount} is not positive`);
  if (from.currency !== to.currency) throw new Error('a posting cannot change the currency');
  if (from.id === to.id) throw new Error('a posting needs two accounts');
};

/** Refuses with the error of the move when the source has too little. */
export const assertCovered = ({ move, from, amount }: Posting, there: Amount): void => {
  const { short } = MOVES[move];
  if (short === null || there >= amount) return;
  throw new DomainError(short, {
    details: {
      requested: formatAmount(amount),
      [short === 'INSUFFICIENT_FUNDS' ? 'available' : 'reserved']: formatAmount(there),
      currency: from.currency,
    },
  });
};

/** The fields that say how a balance changed, as events and audit entries show them. */
export const availableChange = (before: Balance, after: Balance) => ({
  previousAvailableBalance: formatAmount(before.available),
  newAvailableBalance: formatAmount(after.available),
});

export const reservedChange = (before: Balance, after: Balance) => ({
  previousReservedBalance: formatAmount(before.reserved),
  newReservedBalance: formatAmount(after.reserved),
  ...availableChange(before, after),
});

export const auditedBalance = ({ currency, available, reserved }: Balance) => ({
  currency,
  available: formatAmount(available),
  reserved: formatAmount(reserved),
});

/** The sum of an account's postings would leave what the database can hold. */
export const tooLarge = (account: Account, amount: Amount): DomainError =>
  new DomainError('INVALID_AMOUNT', {
    message: account.open
      ? 'The marketplace would hold more than its books can.'
      : 'The balance would grow beyond what an account can hold.',
    details: { amount: formatAmount(amount < 0n ? negated(amount) : amount) },
  });
