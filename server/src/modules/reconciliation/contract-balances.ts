// Compares the balances of escrow contracts, as the escrow provider reports them, with the books. A comparison counts only when
// nothing moved: no call in progress, and the same books before and after the provider was read. A difference is confirmed by the
// ledger, because a provider that is wrong once can be wrong again.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Answer } from '../../base/answer.ts';
import { type Amount, ZERO } from '../../books/money.ts';
import type { EscrowProvider } from '../../providers/ports.ts';
import type { Compared } from './breaks.ts';
import type { BreakReads, ContractPlace, ContractPosition } from './queries.ts';

export type ContractComparison = ContractPlace &
  Compared & {
    /** What the books have in the contract; less than expected when the funding was only reported. */
    readonly held: Amount;
    /** Whether the ledger itself shows `actual`, or only the provider. */
    readonly isOnLedger: boolean;
  };

type Options = {
  readonly escrow: Pick<EscrowProvider, 'balances'>;
  readonly reads: Pick<BreakReads, 'contractPositions'>;
  /** What the ledger shows in the contract. Yes with null: nothing, or the balance is in the ledger's archive. */
  onLedger(contract: { readonly contractId: string; readonly currency: Currency }): Promise<Answer<Amount | null>>;
};

/** How many balances are read with one request. */
const BATCH = 20;

const batchesOf = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );

const isUnmoved = (before: ContractPosition | undefined, after: ContractPosition): boolean =>
  before !== undefined && !before.isBusy && !after.isBusy && before.postings === after.postings;

/** The balance that counts, and whether the ledger shows it; null while that is not certain. */
type Counted = { readonly actual: Amount; readonly isOnLedger: boolean } | null;

/**
 * What the ledger says about a difference that the provider reports. Without an RPC server, or where the ledger has no balance of the
 * contract, the provider's report stands. A ledger that does not answer now leaves the question open.
 */
const countedOf = (shown: Answer<Amount | null>, { expected, actual }: Compared): Counted => {
  const isUnanswered = shown.kind === 'unknown' && shown.code !== 'misconfigured';
  if (isUnanswered) return null;
  if (shown.kind !== 'yes') return { actual, isOnLedger: false };
  if (shown.value !== null) return { actual: shown.value, isOnLedger: true };
  return expected === ZERO ? { actual: ZERO, isOnLedger: true } : { actual, isOnLedger: false };
};

export const createContractBalances = ({ escrow, reads, onLedger }: Options) => {
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

  const shownByProvider = async (positions: readonly ContractPosition[]): Promise<Map<string, Counted>> => {
    const balances = await balancesOf(positions.map(({ contractId }) => contractId));
    return new Map([...balances].map(([contractId, actual]) => [contractId, { actual, isOnLedger: false }]));
  };

  const confirmedByLedger = async (positions: readonly ContractPosition[]): Promise<Map<string, Counted>> => {
    const reported = await shownByProvider(positions);
    for (const { contractId, expected, currency } of positions) {
      const actual = reported.get(contractId)?.actual;
      if (actual === undefined || actual === expected || currency === null) continue;
      reported.set(contractId, countedOf(await onLedger({ contractId, currency }), { expected, actual }));
    }
    return reported;
  };

  const compareBatch = async (
    places: readonly ContractPlace[],
    read: typeof shownByProvider,
  ): Promise<ContractComparison[]> => {
    const before = await reads.contractPositions(places);
    const known = new Map(before.map((one) => [one.contractId, one]));
    const counted = await read(before);
    const after = await reads.contractPositions(places);
    return after
      .filter((one) => isUnmoved(known.get(one.contractId), one))
      .flatMap(({ marketplaceId, contractId, expected, held }) => {
        const seen = counted.get(contractId);
        return seen ? [{ marketplaceId, contractId, expected, held, ...seen }] : [];
      });
  };

  const compareAll =
    (read: typeof shownByProvider) =>
    async (places: readonly ContractPlace[]): Promise<ContractComparison[]> => {
      const seen: ContractComparison[] = [];
      for (const batch of batchesOf(places)) seen.push(...(await compareBatch(batch, read)));
      return seen;
    };

  // Both leave out contracts that cannot be compared now.
  return {
    compare: compareAll(shownByProvider),
    /** For contracts with a difference: also reads the ledger. */
    confirm: compareAll(confirmedByLedger),
  };
};
