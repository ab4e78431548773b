// Decides which call of an escrow contract comes next, until both sides are paid as decided. It reads only the calls that are on the
// ledger, so a new attempt continues where the last one stopped.

import { type Amount, fromUnits, least, minus, sumOf, ZERO } from '../../../books/money.ts';
import { type CallName, type DoneCall, type Escrow, isCalled } from '../escrow.ts';

/** The share of each side, before any fee. */
export type Goal = {
  readonly seller: Amount;
  readonly buyer: Amount;
  /** `release`: the buyer agrees. `dispute`: the platform decides. */
  readonly by: 'release' | 'dispute';
  /** The milestones that are paid now, by place. Absent: all of them. */
  readonly places?: readonly number[];
};

export type Call = {
  readonly call: Exclude<CallName, 'deploy' | 'fund'>;
  /** Null where the call is about the whole contract. */
  readonly milestone: number | null;
  readonly signer: 'buyer' | 'seller' | 'platform';
  /** Of a resolution; a side that gets nothing is left out. */
  readonly shares: Shares | null;
};

type Shares = {
  readonly seller: Amount;
  readonly buyer: Amount;
  /** What others paid into the contract; absent when that is nothing. It belongs to the operator. */
  readonly platform?: Amount;
};

type Contract = Pick<Escrow, 'contractType' | 'calls'> & {
  /** The amounts of the milestones by place. The contract of an order without milestones has one. */
  readonly amounts: readonly Amount[];
  /** Money that others paid into the contract. A resolution has to distribute it too. */
  readonly surplus: Amount;
};

const SIGNERS = {
  'change-status': 'seller',
  approve: 'buyer',
  release: 'buyer',
  dispute: 'buyer',
  resolve: 'platform',
  'withdraw-remaining': 'platform',
} as const;

const call = (name: Call['call'], milestone: number | null): Call => ({
  call: name,
  milestone,
  signer: SIGNERS[name],
  shares: null,
});

const resolve = (milestone: number | null, shares: Shares): Call => ({
  ...call('resolve', milestone),
  shares,
});

const firstUndone = (contract: Contract, calls: readonly Call[]): Call | null =>
  calls.find((one) => !isCalled(contract, one)) ?? null;

const isFinished = (contract: Pick<Contract, 'calls'>, milestone: number | null): boolean =>
  isCalled(contract, { call: 'release', milestone }) || isCalled(contract, { call: 'resolve', milestone });

/** Once a dispute is on the ledger only a resolution can pay. */
const isDisputed = (contract: Contract, milestone: number | null): boolean =>
  isCalled(contract, { call: 'dispute', milestone });

const nextOfSingle = (contract: Contract, goal: Goal): Call | null => {
  if (isFinished(contract, null)) return null;
  if (goal.by === 'dispute' || isDisputed(contract, null)) {
    const { seller, buyer } = goal;
    const shares = { seller, buyer, ...(contract.surplus > ZERO ? { platform: contract.surplus } : {}) };
    return firstUndone(contract, [call('dispute', null), resolve(null, shares)]);
  }
  const work = contract.amounts.flatMap((_, place) => [call('change-status', place), call('approve', place)]);
  return firstUndone(contract, [...work, call('release', null)]);
};

const isConcerned = ({ places }: Goal, place: number): boolean => places === undefined || places.includes(place);

/** What the seller got from those of the concerned milestones that are finished. */
const sellerHas = (contract: Contract, goal: Goal): Amount =>
  sumOf(
    contract.calls.map(({ call: name, milestone, sellerUnits }: DoneCall) => {
      if (!isConcerned(goal, milestone ?? 0)) return ZERO;
      if (name === 'release') return contract.amounts[milestone ?? 0] ?? ZERO;
      return name === 'resolve' ? fromUnits(BigInt(sellerUnits ?? '0')) : ZERO;
    }),
  );

const nextOfMulti = (contract: Contract, goal: Goal): Call | null => {
  let left = minus(goal.seller, sellerHas(contract, goal));
  if (left < ZERO) left = ZERO;
  for (const [place, amount] of contract.amounts.entries()) {
    if (!isConcerned(goal, place) || isFinished(contract, place)) continue;
    const seller = least(left, amount);
    left = minus(left, seller);
    const steps =
      goal.by === 'dispute' || isDisputed(contract, place)
        ? [call('dispute', place), resolve(place, { seller, buyer: minus(amount, seller) })]
        : [call('change-status', place), call('approve', place), call('release', place)];
    return firstUndone(contract, steps);
  }
  return null;
};

/** Whether a contract that pays each milestone separately has paid all of them. */
export const isPaidOut = (contract: Pick<Contract, 'calls' | 'amounts'>): boolean =>
  contract.amounts.every((_, place) => isFinished(contract, place));

/** The next call; null when the contract has paid everything that the goal concerns. */
export const nextCall = (contract: Contract, goal: Goal): Call | null =>
  contract.contractType === 'single-release' ? nextOfSingle(contract, goal) : nextOfMulti(contract, goal);

/** Takes out what others paid into a contract that pays each milestone separately, after its last milestone. */
export const withdrawal = (surplus: Amount): Call => ({
  ...call('withdraw-remaining', null),
  shares: { seller: ZERO, buyer: ZERO, platform: surplus },
});
