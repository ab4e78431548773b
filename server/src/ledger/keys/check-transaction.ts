// The expectation of a transaction, as the requesting code states it, and the comparison before it is signed. The signer trusts nothing
// that came with the transaction. Each check returns a sentence about the first difference, or null.

import type { Amount } from '../../books/money.ts';
import type { EscrowStep } from '../../providers/ports.ts';
import type { OperationFacts, TransactionFacts } from '../format/read-transaction.ts';
import { type LedgerAction, memoOf } from '../transactions/ledger-transaction.ts';
import type { Asset } from './wallet.ts';

export type DeployStep = Extract<EscrowStep, { kind: 'deploy' }>;
export type FundStep = Extract<EscrowStep, { kind: 'fund' }>;

/** The expected values that every transaction has. */
type Frame = {
  /** The passphrase of the network, as the ledger itself reported it. */
  readonly networkPassphrase: string;
  readonly source: string;
  /** Absent: the provider that prepared the transaction chose the number. */
  readonly sequence?: bigint;
  /** The highest fee of the transaction. */
  readonly feeMax: Amount;
  /** The ledger's time, which may differ from this machine's. */
  readonly ledgerTimeMs: number;
  /** How long after the ledger's time the transaction may stay valid. */
  readonly validMaxMs: number;
};

/**
 * `actions`: our own transactions, by the actions that are booked when they succeed.
 * `escrow`: one call of an escrow contract, as the provider was asked to prepare it. A funding names the terms that the contract was
 * deployed with, because they are an argument of the call.
 */
export type Purpose =
  | { readonly kind: 'actions'; readonly actions: readonly LedgerAction[] }
  | { readonly kind: 'escrow'; readonly step: Exclude<EscrowStep, FundStep> }
  | { readonly kind: 'escrow'; readonly step: FundStep; readonly terms: DeployStep };

export type Expectation = Frame & { readonly purpose: Purpose };

/** A payment with another memo than the withdrawal's would be assigned to another customer of the receiver, or to none. */
const checkMemo = ({ memo }: TransactionFacts, { purpose }: Expectation): string | null => {
  const expected = purpose.kind === 'actions' ? memoOf(purpose.actions) : null;
  if (memo === null) return expected && `it has no memo, and the ${expected.type} memo ${expected.value} was requested`;
  if (expected === null) return 'it has a memo, and none was requested';
  if (memo.type === expected.type && memo.value === expected.value) return null;
  return `its memo is the ${memo.type} ${memo.value}, not the ${expected.type} ${expected.value}`;
};

/** Compares the parts that every transaction has: source, sequence number, fee, time bounds, memo. */
export const checkFrame = (facts: TransactionFacts, expected: Expectation): string | null => {
  const { source, sequence, fee, bounds } = facts;
  if (source !== expected.source) return `its source is ${source}, not ${expected.source}`;
  if (expected.sequence !== undefined && sequence !== expected.sequence) {
    return `its sequence number is ${sequence}, not ${expected.sequence}`;
  }
  if (fee > expected.feeMax) return `its fee may be ${fee}, more than ${expected.feeMax}`;
  const memo = checkMemo(facts, expected);
  if (memo) return memo;
  if (facts.hasOtherConditions) return 'it has conditions besides its time bounds';
  if (facts.declaresResources && expected.purpose.kind !== 'escrow') {
    return 'it declares resources of a contract call, and none was requested';
  }
  if (bounds === null || bounds.until === 0n) return 'it has no last moment, so it could be used at any later time';
  const now = BigInt(Math.floor(expected.ledgerTimeMs / 1_000));
  const longest = BigInt(expected.validMaxMs) / 1_000n;
  if (bounds.from > now) return 'it is not valid yet';
  if (bounds.until <= now) return 'its last moment has passed';
  if (bounds.until > now + longest) return `it stays valid for ${bounds.until - now} seconds, more than ${longest}`;
  return null;
};

/** The names of our two assets on the ledger. */
export type AssetNames = Readonly<Record<Asset, string>>;

type Setting = { readonly source: string; readonly assets: AssetNames };

/** The ledger's largest number: a trustline without a limit. */
const NO_LIMIT = 2n ** 63n - 1n;

type Activate = Extract<LedgerAction, { type: 'activate' }>;

/** The sponsorship begins with the source and ends with the wallet, around what it sponsors and nothing else. */
const activationOf = ({ address, units, sponsors }: Activate, { source, assets }: Setting): OperationFacts[] => {
  const create: OperationFacts = { type: 'create-account', source, destination: address, starting: BigInt(units) };
  const trust: OperationFacts = { type: 'change-trust', source: address, asset: assets.USDC, limit: NO_LIMIT };
  if (sponsors === undefined) return [create, trust];
  return [
    { type: 'begin-sponsoring', source, sponsored: address },
    ...(sponsors === 'account' ? [create] : []),
    trust,
    { type: 'end-sponsoring', source: address },
  ];
};

const operationsOf = (action: LedgerAction, { source, assets }: Setting): OperationFacts[] => {
  switch (action.type) {
    case 'activate':
      return activationOf(action, { source, assets });
    case 'trust':
      return [{ type: 'change-trust', source, asset: assets.USDC, limit: NO_LIMIT }];
    case 'pay':
      return [
        { type: 'payment', source, destination: action.to, asset: assets[action.asset], amount: BigInt(action.units) },
      ];
    case 'escrow':
      throw new Error('a call of a contract is checked by its step');
  }
};

/** Compares the operations of one of our own transactions with its actions: the same operations, in the same order, and nothing else. */
export const checkActions = (
  operations: readonly OperationFacts[],
  { actions, ...setting }: Setting & { readonly actions: readonly LedgerAction[] },
): string | null => {
  const expected = actions.flatMap((action) => operationsOf(action, setting));
  if (expected.length === 0) return 'no action was requested';
  if (operations.length !== expected.length) {
    return `it has ${operations.length} operations, not ${expected.length}`;
  }
  for (const [index, operation] of operations.entries()) {
    const difference = compare({ ...operation, source: operation.source ?? setting.source }, expected[index]!);
    if (difference) return `operation ${index + 1}: ${difference}`;
  }
  return null;
};

const compare = (actual: OperationFacts, expected: OperationFacts): string | null => {
  if (actual.type !== expected.type) {
    return `it is ${actual.type === 'other' ? actual.name : actual.type}, not ${expected.type}`;
  }
  const given: Record<string, unknown> = actual;
  for (const [field, value] of Object.entries(expected)) {
    if (given[field] !== value) return `its ${field} is ${given[field]}, not ${value}`;
  }
  return null;
};
