// The contract call that an escrow step must be: contract, function, every argument with its name, and the transfers that the signer
// authorises with it. A deployment passes the terms of the escrow, and a funding repeats them. docs/sandbox-contract.md lists the
// functions.

import type { EscrowStep } from '../../providers/ports.ts';
import type { DeployStep, FundStep } from '../keys/check-transaction.ts';
import {
  address,
  bytes,
  type Call,
  flag,
  i128,
  list,
  nothing,
  shares,
  struct,
  symbol,
  text,
  tokenOf,
  u32,
  type Value,
} from './contract-values.ts';

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
  const signer = address(step.signer);
  const contract = address(step.contractId);
  const amount = i128(step.amount);
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

// The terms of a new escrow as its contract stores them. A deployment passes this structure, and a funding repeats it.
const FIRST_STATUS = 'pending';
const unset = (...names: string[]): Value => struct(Object.fromEntries(names.map((name) => [name, flag(false)])));

const words = ({ description }: { description: string }) => ({
  description: text(description),
  status: text(FIRST_STATUS),
  evidence: text(''),
});

/** The terms of a new escrow, as its contract stores them. */
const escrowTerms = (step: DeployStep, networkPassphrase: string): Value => {
  const { roles } = step;
  const common = {
    engagement_id: text(step.engagementId),
    title: text(step.title),
    description: text(step.description),
    platform_fee: u32(step.platformFeeBps),
    trustline: struct({ address: address(tokenOf(step.asset, networkPassphrase)) }),
  };
  const people = {
    approver: address(roles.approver),
    service_provider: address(roles.serviceProvider),
    platform_address: address(roles.platform),
    release_signer: address(roles.releaseSigner),
    dispute_resolver: address(roles.disputeResolver),
  };
  if (step.type === 'multi-release') {
    const milestones = step.milestones.map((milestone) =>
      struct({
        ...words(milestone),
        amount: i128(milestone.amount),
        receiver: address(milestone.receiver),
        flags: unset('approved', 'disputed', 'released', 'resolved'),
      }),
    );
    return struct({ ...common, roles: struct(people), milestones: list(milestones) });
  }
  const milestones = step.milestones.map((milestone) => struct({ ...words(milestone), approved: flag(false) }));
  return struct({
    ...common,
    amount: i128(step.amount),
    roles: struct({ ...people, receiver: address(step.receiver) }),
    milestones: list(milestones),
    flags: unset('disputed', 'released', 'resolved'),
  });
};
