// The price of the network per operation: its base fee, or more while a fault raises it. A surge is twenty times the base fee, which a
// higher bid or a fee bump pays. A spike is ten thousand times the base fee, which is more than anyone should pay. A rise is a surge that the
// network does not report yet: bids that follow its report are refused.

import type { Faults } from './faults.ts';
import { type FaultName, FEE_FAULTS } from './faults-table.ts';

type Price = {
  perOperation: number;
  // A transaction that bids less is neither refused nor included.
  waits: boolean;
};

export type Fees = {
  // What the network says about its fees. Each reading counts a spike down, because nothing may be submitted while it lasts.
  reported(): number;
  // The price of the next ledger, without counting.
  current(): number;
  // The price for one submission of this account, which counts the fault down.
  take(source: string): Price;
};

const SURGE = 20;
const SPIKE = 10_000;

const timesOf = (fault: FaultName | undefined): number => {
  if (fault === undefined) return 1;
  return fault === 'fee-spike' ? SPIKE : SURGE;
};

export function openFees({ faults, baseFee }: { faults: Faults; baseFee: number }): Fees {
  const armed = () => faults.list().find(({ operation }) => operation === 'fees')?.fault;
  const current = () => {
    const fault = armed();
    return fault === 'fee-rise' ? baseFee : baseFee * timesOf(fault);
  };
  return {
    current,
    reported() {
      const price = current();
      faults.strike({ operation: 'fees', ids: [], of: ['fee-spike'] });
      return price;
    },
    take(source) {
      const fault = faults.strike({ operation: 'fees', ids: [source], of: FEE_FAULTS })?.fault;
      return { perOperation: baseFee * timesOf(fault), waits: fault === 'fee-stuck' };
    },
  };
}
