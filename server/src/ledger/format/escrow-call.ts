// The contract call that an escrow step must be: contract, function, every argument with its name, and the transfers that
// the signer authorises with it. docs/sandbox-contract.md lists the functions.

import type { EscrowStep } from '../../providers/ports.ts';
import type { DeployStep, FundStep } from '../keys/expectation.ts';
import {
  address,
  bytes,
  type Call,
  i128,
  list,
  nothing,
  shares,
  symbol,
  text,
  tokenOf,
  u32,
} from './contract-values.ts';
import { escrowTerms } from './escrow-terms.ts';

type Named = readonly [name: string, value: Call['args'][number]];

export type EscrowCall = {
  readonly contract: string;
  readonly fn: string;
  readonly args: readonly Named[];
  /** The transfer that the contract may make in the signer's name. */
  readonly nested: readonly Call[];
};

const DEPLOY = {
  'single-release': 'tw_new_single_release_escrow',
  'multi-release': 'tw_new_multi_release_escrow',
} as const;

export const deployCall = (
  step: DeployStep,
  of: { factory: string; codeHash: Uint8Array; salt: Uint8Array; networkPassphrase: string },
): EscrowCall => ({
  contract: of.factory,
  fn: DEPLOY[step.type],
  args: [
    ['signer', address(step.signer)],
    ['code hash', bytes(of.codeHash)],
    ['salt', bytes(of.salt)],
    ['initial function', symbol('initialize_escrow')],
    ['escrow', list([escrowTerms(step, of.networkPassphrase)])],
    ['constructor arguments', list([])],
  ],
  nested: [],
});

export const fundCall = (step: FundStep, of: { terms: DeployStep; networkPassphrase: string }): EscrowCall => {
  const [signer, contract, amount] = [address(step.signer), address(step.contractId), i128(step.amount)];
  const token = tokenOf(of.terms.asset, of.networkPassphrase);
  return {
    contract: step.contractId,
    fn: 'fund_escrow',
    args: [
      ['signer', signer],
      ['escrow', escrowTerms(of.terms, of.networkPassphrase)],
      ['amount', amount],
    ],
    nested: [{ contract: token, fn: 'transfer', args: [signer, contract, amount] }],
  };
};

export const workCall = (step: Exclude<EscrowStep, DeployStep | FundStep>): EscrowCall => {
  const call = (fn: string, ...args: Named[]): EscrowCall => ({ contract: step.contractId, fn, args, nested: [] });
  const signer: Named = ['signer', address(step.signer)];
  switch (step.kind) {
    case 'change-status': {
      const evidence = step.evidence === undefined ? nothing() : text(step.evidence);
      const status: Named = ['status', text(step.status)];
      return call('change_milestone_status', index(step.milestone), status, ['evidence', evidence], signer);
    }
    case 'approve':
      return call('approve_milestone', index(step.milestone), signer);
    case 'release':
      return 'milestone' in step
        ? call('release_milestone_funds', signer, smallIndex(step.milestone))
        : call('release_funds', signer);
    case 'dispute':
      return 'milestone' in step
        ? call('dispute_milestone', index(step.milestone), signer)
        : call('dispute_escrow', signer);
    case 'resolve': {
      const parts: Named = ['distributions', shares(step.shares)];
      return 'milestone' in step
        ? call('resolve_milestone_dispute', signer, smallIndex(step.milestone), parts)
        : call('resolve_dispute', signer, parts);
    }
    case 'withdraw-remaining':
      return call('withdraw_remaining_funds', signer, ['distributions', shares(step.shares)]);
  }
};

// The contract counts milestones in two types, function by function.
const index = (milestone: number): Named => ['milestone', i128(BigInt(milestone))];
const smallIndex = (milestone: number): Named => ['milestone', u32(milestone)];
