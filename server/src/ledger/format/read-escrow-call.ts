// Reads a call of an escrow contract back from its binary form: which call it is, of which milestone, and over which amounts. Null: it
// is no call that we make. escrow-call.ts writes them.

import type { CallName } from '../../modules/escrows/escrow.ts';
import { library } from '../../providers/network/library.ts';
import { bytesIn, deployedAt } from './contract-values.ts';
import type { CallFacts } from './read-transaction.ts';

type ReadCall = {
  readonly call: CallName;
  readonly milestone: number | null;
  readonly contractId: string;
  /** The amount of a funding. Units of 10^-7 as text, like the shares. */
  readonly units: string | null;
  /** The amounts of a resolution, or of what remained, by address. */
  readonly shares: Readonly<Record<string, string>> | null;
  /** Of a deployment: the order that the contract is for. */
  readonly orderId: string | null;
};

/** The calls by the name of their function; the place of the milestone among the arguments. */
const CALLS = {
  fund_escrow: { call: 'fund', milestone: null },
  change_milestone_status: { call: 'change-status', milestone: 0 },
  approve_milestone: { call: 'approve', milestone: 0 },
  release_funds: { call: 'release', milestone: null },
  release_milestone_funds: { call: 'release', milestone: 1 },
  dispute_escrow: { call: 'dispute', milestone: null },
  dispute_milestone: { call: 'dispute', milestone: 0 },
  resolve_dispute: { call: 'resolve', milestone: null },
  resolve_milestone_dispute: { call: 'resolve', milestone: 1 },
  withdraw_remaining_funds: { call: 'withdraw-remaining', milestone: null },
} as const;

const DEPLOYMENTS: ReadonlySet<string> = new Set(['tw_new_single_release_escrow', 'tw_new_multi_release_escrow']);
const SALT = 2;
const TERMS = 4;
const FUND_AMOUNT = 2;

// biome-ignore lint/suspicious/noExplicitAny: the values of a contract call have no type
const valueIn = (argument: string | undefined): any => {
  if (argument === undefined) return null;
  const { scValToNative, xdr } = library();
  return scValToNative(xdr.ScVal.fromXdr(argument, 'base64'));
};

const sharesIn = (argument: string | undefined): Record<string, string> => {
  const shares: Record<string, bigint> = valueIn(argument) ?? {};
  return Object.fromEntries(Object.entries(shares).map(([address, units]) => [address, String(units)]));
};

const isNamed = (fn: string): fn is keyof typeof CALLS => fn in CALLS;

const readDeployment = ({ contract, args }: CallFacts, networkPassphrase: string): ReadCall | null => {
  const salt = bytesIn(args[SALT]);
  const orderId: unknown = valueIn(args[TERMS])?.[0]?.engagement_id;
  if (salt === null || typeof orderId !== 'string') return null;
  const contractId = deployedAt({ factory: contract, salt, networkPassphrase });
  return { call: 'deploy', milestone: null, contractId, units: null, shares: null, orderId };
};

export const readEscrowCall = (facts: CallFacts, networkPassphrase: string): ReadCall | null => {
  const { contract: contractId, fn, args } = facts;
  if (DEPLOYMENTS.has(fn)) return readDeployment(facts, networkPassphrase);
  if (!isNamed(fn)) return null;
  const { call, milestone: place } = CALLS[fn];
  return {
    call,
    milestone: place === null ? null : Number(valueIn(args[place])),
    contractId,
    units: call === 'fund' ? String(valueIn(args[FUND_AMOUNT])) : null,
    shares: call === 'resolve' || call === 'withdraw-remaining' ? sharesIn(args.at(-1)) : null,
    orderId: null,
  };
};
