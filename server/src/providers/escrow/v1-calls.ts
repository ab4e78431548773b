// Version 1 of the escrow provider's API: the path and body of each step. Another version needs only another file like this one.
// Source: docs.trustlesswork.com, as the interface is described there.

import type { EscrowRoles, EscrowShare, EscrowStep } from '../escrow-port.ts';
import type { LedgerAsset } from '../ledger-port.ts';
import { writeNumber, writePercent } from '../wire-amount.ts';

type WriteCall = { operation: string; path: string; body: () => unknown };

export const PATHS = {
  submit: '/helper/send-transaction',
  byContract: '/helper/get-escrow-by-contract-ids',
  bySigner: '/helper/get-escrows-by-signer',
  balances: '/helper/get-multiple-escrow-balance',
} as const;

/** Whether a milestone is part of the path depends on the type of the contract. */
export function writeCall(step: EscrowStep): WriteCall {
  const at = (name: string, body: () => unknown) => ({
    operation: step.kind,
    path: `/escrow/${step.type}/${name}`,
    body,
  });
  switch (step.kind) {
    case 'deploy':
      return { operation: 'deploy', path: `/deployer/${step.type}`, body: () => deployment(step) };
    case 'fund':
      return at('fund-escrow', () => ({ ...contract(step), signer: step.signer, amount: writeNumber(step.amount) }));
    case 'change-status':
      return at('change-milestone-status', () => ({
        ...contract(step),
        ...milestone(step),
        newStatus: step.status,
        ...(step.evidence === undefined ? {} : { newEvidence: step.evidence }),
        serviceProvider: step.signer,
      }));
    case 'approve':
      return at('approve-milestone', () => ({ ...contract(step), ...milestone(step), approver: step.signer }));
    case 'release':
      return at(step.type === 'single-release' ? 'release-funds' : 'release-milestone-funds', () => ({
        ...contract(step),
        ...milestone(step),
        releaseSigner: step.signer,
      }));
    case 'dispute':
      return at(step.type === 'single-release' ? 'dispute-escrow' : 'dispute-milestone', () => ({
        ...contract(step),
        ...milestone(step),
        signer: step.signer,
      }));
    case 'resolve':
      return at(step.type === 'single-release' ? 'resolve-dispute' : 'resolve-milestone-dispute', () => ({
        ...contract(step),
        ...milestone(step),
        disputeResolver: step.signer,
        distributions: distributions(step.shares),
      }));
    case 'withdraw-remaining':
      return at('withdraw-remaining-funds', () => ({
        ...contract(step),
        disputeResolver: step.signer,
        distributions: distributions(step.shares),
      }));
  }
}

const contract = ({ contractId }: { contractId: string }) => ({ contractId });

// The provider expects the index as text.
const milestone = (step: object) =>
  'milestone' in step && typeof step.milestone === 'number' ? { milestoneIndex: String(step.milestone) } : {};

// The contract refuses a share of zero, so a side with 0.00 is left out.
const distributions = (shares: readonly EscrowShare[]) =>
  shares.filter(({ amount }) => amount !== 0n).map(({ address, amount }) => ({ address, amount: writeNumber(amount) }));

function deployment(step: EscrowStep & { kind: 'deploy' }) {
  const { signer, engagementId, title, description } = step;
  const common = {
    signer,
    engagementId,
    title,
    description,
    platformFee: writePercent(step.platformFeeBps),
    trustline: trustline(step.asset),
  };
  if (step.type === 'single-release') {
    const roles = { ...rolesOf(step.roles), receiver: step.receiver };
    return { ...common, roles, amount: writeNumber(step.amount), milestones: step.milestones.map(onlyDescription) };
  }
  const milestones = step.milestones.map((part) => ({
    description: part.description,
    amount: writeNumber(part.amount),
    receiver: part.receiver,
  }));
  return { ...common, roles: rolesOf(step.roles), milestones };
}

const onlyDescription = ({ description }: { description: string }) => ({ description });

const rolesOf = ({ approver, serviceProvider, platform, releaseSigner, disputeResolver }: EscrowRoles) => ({
  approver,
  serviceProvider,
  platformAddress: platform,
  releaseSigner,
  disputeResolver,
});

const trustline = ({ code, issuer }: LedgerAsset) => ({ address: issuer ?? 'native', symbol: code });
