// Compares a prepared contract call with the requested escrow step: the contract, the function, every argument, and that a signature
// authorises this call and nothing more. Returns a sentence about the first difference, or null.

import type { EscrowStep, EscrowType } from '../../providers/ports.ts';
import { authorisationOf, bytesIn, deployedAt, encoded } from '../format/contract-values.ts';
import { deployCall, type EscrowCall, fundCall, workCall } from '../format/escrow-call.ts';
import type { CallFacts, OperationFacts } from '../format/read-transaction.ts';
import type { DeployStep, FundStep, Purpose } from './check-transaction.ts';

/** The contracts that may deploy escrows, and the code that they deploy (hex; null: not pinned). */
export type EscrowFactories = Partial<
  Record<EscrowType, { readonly address: string; readonly codeHash: string | null }>
>;

type Setting = {
  readonly source: string;
  readonly networkPassphrase: string;
  readonly factories: EscrowFactories;
};

type EscrowPurpose = Extract<Purpose, { kind: 'escrow' }>;

type EscrowVerdict = { readonly difference: string } | { readonly difference: null; readonly contractId: string };

const HASH_BYTES = 32;

/** The settings that name the factories of a provider. */
const FACTORY_SETTINGS: Readonly<Record<EscrowType, string>> = {
  'single-release': 'ESCROW_FACTORY_SINGLE',
  'multi-release': 'ESCROW_FACTORY_MULTI',
};

export const checkEscrow = (
  operations: readonly OperationFacts[],
  { purpose, ...setting }: Setting & { readonly purpose: EscrowPurpose },
): EscrowVerdict => {
  const { source } = setting;
  const [operation] = operations;
  if (operations.length !== 1 || !operation) return { difference: `it has ${operations.length} operations, not 1` };
  if (operation.type !== 'call') {
    return { difference: `it is ${operation.type === 'other' ? operation.name : operation.type}, not a contract call` };
  }
  if (operation.source !== null && operation.source !== source) {
    return { difference: `its operation acts for ${operation.source}, not ${source}` };
  }
  if (purpose.step.signer !== source) {
    return { difference: `its source is ${source}, but ${purpose.step.signer} has to sign this step` };
  }
  if (purpose.step.kind === 'deploy') return checkDeploy(operation, { ...setting, step: purpose.step });
  const call = isFunding(purpose)
    ? fundCall(purpose.step, { terms: purpose.terms, networkPassphrase: setting.networkPassphrase })
    : workCall(purpose.step as Exclude<EscrowStep, DeployStep | FundStep>);
  const difference = compare(operation, call);
  return difference ? { difference } : { difference, contractId: purpose.step.contractId };
};

const isFunding = (purpose: EscrowPurpose): purpose is Extract<EscrowPurpose, { step: FundStep }> =>
  purpose.step.kind === 'fund';

// Salt and, unless it is pinned, code are the provider's choice; the address of the new escrow follows from the salt.
const checkDeploy = (
  facts: CallFacts,
  { step, factories, networkPassphrase }: Setting & { step: DeployStep },
): EscrowVerdict => {
  const known = factories[step.type];
  if (!known) {
    const setting = FACTORY_SETTINGS[step.type];
    return { difference: `no factory of ${step.type} escrows is known here, so none can be trusted: set ${setting}` };
  }
  const codeHash = bytesIn(facts.args[1]);
  const salt = bytesIn(facts.args[2]);
  if (codeHash?.length !== HASH_BYTES || salt?.length !== HASH_BYTES) {
    return { difference: 'its code hash or its salt is not 32 bytes' };
  }
  if (known.codeHash !== null && codeHash.toString('hex') !== known.codeHash) {
    return { difference: `it deploys the code ${codeHash.toString('hex')}, not ${known.codeHash}` };
  }
  const difference = compare(facts, deployCall(step, { factory: known.address, codeHash, salt, networkPassphrase }));
  if (difference) return { difference };
  return { difference, contractId: deployedAt({ factory: known.address, salt, networkPassphrase }) };
};

const compare = (facts: CallFacts, { contract, fn, args, nested }: EscrowCall): string | null => {
  if (facts.contract !== contract) return `it calls the contract ${facts.contract}, not ${contract}`;
  if (facts.fn !== fn) return `it calls ${facts.fn}, not ${fn}`;
  if (facts.args.length !== args.length) return `${fn} has ${facts.args.length} arguments, not ${args.length}`;
  for (const [index, [name, value]] of args.entries()) {
    if (facts.args[index] !== encoded(value)) return `the argument "${name}" of ${fn} is not the requested one`;
  }
  const call = { contract, fn, args: args.map(([, value]) => value) };
  const [authorisation] = facts.authorisations;
  if (facts.authorisations.length !== 1 || authorisation !== authorisationOf(call, nested)) {
    return `its authorisation is not for this call of ${fn} alone`;
  }
  return null;
};
