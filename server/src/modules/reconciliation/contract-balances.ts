// Compares what the escrow contracts hold, as their provider tells it, with what the books have there. Only a moment at
// which nothing moved is compared: no call on its way, and the same books before and after the provider was asked.

import { type Amount, ZERO } from '../../books/money.ts';
import type { EscrowProvider } from '../../providers/ports.ts';
import type { BreakReads, ContractPlace, ContractPosition } from './queries.ts';

export type ContractComparison = ContractPlace & { readonly expected: Amount; readonly actual: Amount };

type Options = {
  readonly escrow: Pick<EscrowProvider, 'balances'>;
  readonly reads: Pick<BreakReads, 'contractPositions'>;
};

/** The provider is asked about so many at once. */
const BATCH = 20;

const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );

const isUnmoved = (before: ContractPosition | undefined, after: ContractPosition): boolean =>
  before !== undefined && !before.isBusy && !after.isBusy && before.postings === after.postings;

export const createContractBalances = ({ escrow, reads }: Options) => {
  /** Of those that the provider tells something certain about. */
  const balancesOf = async (contractIds: readonly string[]): Promise<Map<string, Amount>> => {
    const answer = await escrow.balances(contractIds);
    if (answer.kind === 'yes') return new Map(answer.value.map(({ contractId, balance }) => [contractId, balance]));
    if (answer.kind === 'unknown') return new Map();
    const [only, ...others] = contractIds;
    // One that it does not know must not hide what it knows of the others.
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

  /** Those about which nothing certain can be said now are left out. */
  return async (places: readonly ContractPlace[]): Promise<ContractComparison[]> => {
    const seen: ContractComparison[] = [];
    for (const batch of batchesOf(places)) seen.push(...(await compareBatch(batch)));
    return seen;
  };
};
