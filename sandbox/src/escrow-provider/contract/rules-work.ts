// The work and its payment: status by the service provider, approval by the approver, release by the release signer. Each rule
// refuses, or changes the escrow that it is given.

import { refusal, refuseIf } from './errors.ts';
import type { Escrow, MultiEscrow, MultiMilestone, SingleEscrow } from './escrow.ts';

export function changeStatus(
  escrow: Escrow,
  { index, status, evidence, by }: { index: bigint; status: string; evidence: string | null; by: string },
): void {
  refuseIf(by !== escrow.roles.serviceProvider, 'OnlyServiceProvider');
  const milestone = milestoneAt(escrow, index);
  if ('flags' in milestone) {
    refuseIf(milestone.flags.released, 'MilestoneReleased');
    refuseIf(milestone.flags.resolved, 'MilestoneResolved');
  } else if (escrow.type === 'single-release') {
    refuseIf(escrow.flags.released, 'EscrowReleased');
    refuseIf(escrow.flags.resolved, 'EscrowResolved');
  }
  milestone.status = status;
  if (evidence !== null) milestone.evidence = evidence;
}

export function approve(escrow: Escrow, { index, by }: { index: bigint; by: string }): void {
  refuseIf(by !== escrow.roles.approver, 'OnlyApprover');
  const milestone = milestoneAt(escrow, index);
  const flagged = 'flags' in milestone ? milestone.flags : milestone;
  refuseIf(flagged.approved, 'AlreadyApproved');
  refuseIf(milestone.status === '', 'EmptyStatus');
  flagged.approved = true;
}

export function release(escrow: SingleEscrow, { by, balance }: { by: string; balance: bigint }): void {
  refuseIf(escrow.flags.released, 'EscrowReleased');
  refuseIf(escrow.flags.resolved, 'EscrowResolved');
  refuseIf(by !== escrow.roles.releaseSigner, 'OnlyReleaseSigner');
  refuseIf(escrow.milestones.length === 0, 'NoMilestone');
  refuseIf(!escrow.milestones.every(({ approved }) => approved), 'NotCompleted');
  refuseIf(escrow.flags.disputed, 'InDispute');
  refuseIf(balance < escrow.amount, 'BalanceShort');
  escrow.flags.released = true;
}

export function releaseMilestone(
  escrow: MultiEscrow,
  { index, by, balance }: { index: bigint; by: string; balance: bigint },
): MultiMilestone {
  refuseIf(by !== escrow.roles.releaseSigner, 'OnlyReleaseSigner');
  const milestone = milestoneAt(escrow, index);
  const { flags } = milestone;
  refuseIf(flags.released, 'MilestoneReleased');
  refuseIf(flags.resolved, 'MilestoneResolved');
  refuseIf(!flags.approved, 'MilestoneNotCompleted');
  refuseIf(flags.disputed, 'MilestoneInDispute');
  refuseIf(balance < milestone.amount, 'BalanceShort');
  flags.released = true;
  return milestone;
}

export function milestoneAt<E extends Escrow>(escrow: E, index: bigint): E['milestones'][number] {
  refuseIf(escrow.milestones.length === 0, 'NoMilestone');
  const milestone = index < 0n ? undefined : escrow.milestones[Number(index)];
  if (milestone === undefined) throw refusal('InvalidIndex');
  return milestone;
}
