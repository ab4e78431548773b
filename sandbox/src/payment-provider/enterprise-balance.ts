// The balances of the enterprises at the payment provider: payins add to it, payouts subtract from it.

import type { Slice, Table } from '../state.ts';
import { type Cents, formatCents } from './cents.ts';
import type { Enterprise, Enterprises } from './enterprises.ts';
import { problem } from './problems.ts';

export type Balance = { available: Cents; pending: Cents };

type EnterpriseBalance = {
  read(): Balance;
  receive(amount: Cents): void;
  // Reserves the money of a payout; refuses when there is not enough.
  hold(amount: Cents): void;
  // The reserved money is paid, or returned.
  pay(amount: Cents): void;
  unhold(amount: Cents): void;
};

export type Balances = (name: string) => EnterpriseBalance;

export function keepBalances({ slice, enterprises }: { slice: Slice; enterprises: Enterprises }): Balances {
  const table = slice.table<Balance>('balance');
  return (name) => balanceOf(table, enterprises.get(name));
}

function balanceOf(table: Table<Balance>, { name, opening }: Enterprise): EnterpriseBalance {
  const read = () => table.get(name) ?? { available: opening, pending: 0n };
  const add = (available: Cents, pending: Cents) => {
    const balance = read();
    table.set(name, { available: balance.available + available, pending: balance.pending + pending });
  };
  return {
    read,
    receive: (amount) => add(amount, 0n),
    hold(amount) {
      const { available } = read();
      if (available < amount) throw problem('balanceTooLow', { available: formatCents(available) });
      add(-amount, amount);
    },
    pay: (amount) => add(0n, -amount),
    unhold: (amount) => add(amount, -amount),
  };
}
