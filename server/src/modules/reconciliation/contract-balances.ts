// Compares the balances of escrow contracts, as the escrow provider reports them, with the books. A comparison counts only when
// nothing moved: no call in progress, and the same books before and after the provider was read.

import { type Amount, ZERO } from '../../books/money.ts';
import type { EscrowProvider } from '../../providers/ports.ts';
import type { Compared } from './breaks.ts';
import type { BreakReads, ContractPlace, ContractPosition } from './queries.ts';

type ContractComparison = ContractPlace & Compared;

type Options = {
  readonly escrow: Pick<EscrowProvider, 'balances'>;
  readonly reads: Pick<BreakReads, 'contractPositions'>;
};

/** How many balances are read with one request. */
const BATCH = 20;

const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );

const isUnmoved = (before: ContractPosition | undefined, after: ContractPosition): boolean =>
  before !== undefined && !before.isBusy && !after.isBusy && before.postings === after.postings;

export const createContractBalances = ({ escrow, reads }: Options) => {
  /** The balances that the provider reports with certainty. */
  const balancesOf = async (contractIds: readonly string[]): Promise<Map<string, Amount>> => {
    const answer = await escrow.balances(contractIds);
    if (answer.kind === 'yes') return new Map(answer.value.map(({ contractId, balance }) => [contractId, balance]));
    if (answer.kind === 'unknown') return new Map();
    const [only, ...others] = contractIds;
    // An unknown contract must not hide the balances of the others.
    if (others.length > 0) {
      const each = await Promise.all(contractIds.map((id) => balancesOf([id])));
      return new Map(each.flatMap((one) => [...one]));
    }
    return answer.code === 'NOT_FOUND' ? new Map([[only!, ZERO]]) : new Map();
  };

  const compareBatch = async (places: readonly ContractPlace[]): Promise<ContractComparison[]> => {
    const before = new Map((await reads.contractPositions(places)).map((one) => [one.contractId, one]));
    const actual = await balancesOf(places.map(({ contractId }) => contractId));
    const after = await reads.contractPositions(places);
    return after
      .filter((one) => isUnmoved(before.get(one.contractId), one) && actual.has(one.contractId))
      .map(({ marketplaceId, contractId, expected }) => {
        return { marketplaceId, contractId, expected, actual: actual.get(contractId)! };
      });
  };

  /** Leaves out contracts that cannot be compared now. */
  return async (places: readonly ContractPlace[]): Promise<ContractComparison[]> => {
    const seen: ContractComparison[] = [];
    for (const batch of batchesOf(places)) seen.push(...(await compareBatch(batch)));
    return seen;
  };
};
