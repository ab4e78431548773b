// Disputes: opened by any role except the resolver, and ended only by the resolver, who decides the shares. Each rule refuses, or
// changes the escrow that it is given.

import { refuseIf } from './errors.ts';
import type { Distribution, MultiEscrow, Roles, SingleEscrow } from './escrow.ts';
import { milestoneAt } from './rules-work.ts';

type Resolution = { by: string; parts: Distribution[]; balance: bigint };

export function dispute(escrow: SingleEscrow, by: string): void {
  refuseIf(escrow.flags.released, 'EscrowReleased');
  refuseIf(escrow.flags.resolved, 'EscrowResolved');
  refuseIf(escrow.flags.disputed, 'AlreadyDisputed');
  checkParty(escrow.roles, { by, receiver: escrow.roles.receiver });
  escrow.flags.disputed = true;
}

export function disputeMilestone(escrow: MultiEscrow, { index, by }: { index: bigint; by: string }): void {
  const { flags, receiver } = milestoneAt(escrow, index);
  refuseIf(flags.released, 'MilestoneReleased');
  refuseIf(flags.resolved, 'MilestoneResolved');
  refuseIf(flags.disputed, 'MilestoneAlreadyDisputed');
  checkParty(escrow.roles, { by, receiver });
  flags.disputed = true;
}

export function resolve(escrow: SingleEscrow, { by, parts, balance }: Resolution): void {
  refuseIf(by !== escrow.roles.disputeResolver, 'OnlyResolver');
  refuseIf(!escrow.flags.disputed, 'NotDisputed');
  const total = totalOf(parts);
  refuseIf(balance < total, 'ResolutionShort');
  refuseIf(total !== balance, 'SumNotBalance');
  escrow.flags.disputed = false;
  escrow.flags.resolved = true;
}

export function resolveMilestone(
  escrow: MultiEscrow,
  { index, by, parts, balance }: Resolution & { index: bigint },
): void {
  refuseIf(by !== escrow.roles.disputeResolver, 'OnlyResolver');
  const { flags, amount } = milestoneAt(escrow, index);
  refuseIf(!flags.disputed, 'MilestoneNotDisputed');
  const total = totalOf(parts);
  refuseIf(total > amount, 'TotalAboveMilestone');
  refuseIf(balance < total, 'ResolutionShort');
  flags.disputed = false;
  flags.resolved = true;
}

export function withdrawRemaining(escrow: MultiEscrow, { by, parts, balance }: Resolution): void {
  refuseIf(by !== escrow.roles.disputeResolver, 'OnlyResolver');
  refuseIf(!escrow.milestones.every(({ flags }) => flags.released || flags.resolved), 'NotAllProcessed');
  refuseIf(balance < totalOf(parts), 'ResolutionShort');
}

function totalOf(parts: Distribution[]): bigint {
  refuseIf(parts.length === 0, 'TotalZero');
  refuseIf(
    parts.some(({ amount }) => amount <= 0n),
    'PartNotPositive',
  );
  return parts.reduce((sum, { amount }) => sum + amount, 0n);
}

function checkParty(roles: Roles, { by, receiver }: { by: string; receiver: string }): void {
  refuseIf(by === roles.disputeResolver, 'ResolverCannotDispute');
  const parties = [roles.approver, roles.serviceProvider, roles.platformAddress, roles.releaseSigner, receiver];
  refuseIf(!parties.includes(by), 'CannotDispute');
}
