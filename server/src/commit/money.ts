// How commands look at balances and move money: by the rows of the moves table and in no other way.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { Fault } from '../base/domain-error.ts';
import { type Account, available, reserved } from '../books/accounts.ts';
import type { Balance } from '../books/balance.ts';
import { type Amount, formatAmount } from '../books/money.ts';
import { MOVES, type MoveName, type Parties } from '../books/moves.ts';
import type { User } from '../modules/users/user.ts';
import type { Desk, Needs } from './command.ts';

export type Purse = { readonly userId: string; readonly currency: Currency };

/** A user as the wire shows one: with the balance in the base currency. */
export type UserReply = { readonly user: User; readonly balance: Balance };

/** The rows of a balance command: the user, the user's two accounts, and those that the move itself touches. */
export const purseNeeds = ({ userId, currency }: Purse, moves: readonly MoveName[]): Required<Needs> => ({
  rows: [{ table: 'users', id: userId }],
  accounts: [
    available(userId, currency),
    reserved(userId, currency),
    ...moves.flatMap((name) => accountsOf(name, { userId, currency })),
  ],
});

/** Refuses when there is no such user. */
export const balanceOf = (desk: Desk, { userId, currency }: Purse): Balance => {
  const user = desk.get('users', userId);
  const [ofAvailable, ofReserved] = [available(userId, currency), reserved(userId, currency)];
  const touched = [desk.touchedAt(ofAvailable), desk.touchedAt(ofReserved)].filter((at) => at !== null).sort();
  return {
    userId,
    currency,
    available: desk.balance(ofAvailable),
    reserved: desk.balance(ofReserved),
    updatedAt: touched.at(-1) ?? user.createdAt,
  };
};

export type Transfer = Purse & {
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

/** Moves the amount, or refuses in the move's own words when the source has too little. */
export const move = (desk: Desk, name: MoveName, transfer: Moving): void => {
  const row = MOVES[name];
  const [from, to] = [row.from(transfer), row.to(transfer)];
  const there = desk.balance(from);
  if (row.short !== null && there < transfer.amount) {
    throw new Fault(row.short, {
      details: {
        requested: formatAmount(transfer.amount),
        [row.short === 'INSUFFICIENT_FUNDS' ? 'available' : 'reserved']: formatAmount(there),
        currency: transfer.currency,
      },
    });
  }
  desk.post({
    from,
    to,
    amount: transfer.amount,
    move: name,
    reference: transfer.reference ?? null,
    description: transfer.description ?? null,
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
