// How an escrow is created, changed by its platform, and funded. Pure rules: they refuse, or return the new state.

import { isDeepStrictEqual } from 'node:util';
import { refuseIf } from './errors.ts';
import type { Escrow, Flags } from './escrow.ts';

const MILESTONES_MAX = 10;
const FEE_MAX_BPS = 9_900;

export function checkInitial(escrow: Escrow): void {
  checkShape(escrow);
  refuseIf(hasFlags(escrow), 'FlagsSet');
}

export function checkFunding(
  escrow: Escrow,
  { expected, amount, available }: { expected: Escrow; amount: bigint; available: bigint },
): void {
  refuseIf(amount <= 0n, 'AmountZero');
  refuseIf(!isDeepStrictEqual(escrow, expected), 'PropertiesMismatch');
  refuseIf(available < amount, 'FunderShort');
}

export function checkUpdate(
  escrow: Escrow,
  { next, by, balance }: { next: Escrow; by: string; balance: bigint },
): void {
  refuseIf(by !== escrow.roles.platformAddress, 'OnlyPlatform');
  refuseIf(next.roles.platformAddress !== escrow.roles.platformAddress, 'PlatformFixed');
  refuseIf(isDisputed(escrow), 'InDispute');
  const kept = escrow.milestones.length;
  if (balance > 0n) {
    // Once the escrow has money, milestones can only be added.
    const same = { ...next, milestones: next.milestones.slice(0, kept) };
    refuseIf(!isDeepStrictEqual(same, escrow), 'HasFunds');
    refuseIf(next.milestones.slice(kept).some(isFlagged), 'FlagsSet');
  } else {
    refuseIf(escrow.milestones.some(isApproved), 'ApprovedFixed');
    refuseIf(hasFlags(next), 'FlagsSet');
  }
  checkShape(next);
}

function checkShape(escrow: Escrow): void {
  refuseIf(escrow.platformFeeBps > FEE_MAX_BPS, 'PlatformFeeTooHigh');
  refuseIf(
    amountsOf(escrow).some((amount) => amount <= 0n),
    'AmountZero',
  );
  refuseIf(escrow.milestones.length === 0, 'NoMilestone');
  refuseIf(escrow.milestones.length > MILESTONES_MAX, 'TooManyMilestones');
}

const amountsOf = (escrow: Escrow): bigint[] =>
  escrow.type === 'single-release' ? [escrow.amount] : escrow.milestones.map(({ amount }) => amount);

type Milestone = Escrow['milestones'][number];

const isApproved = (milestone: Milestone) => ('flags' in milestone ? milestone.flags.approved : milestone.approved);

const isSet = ({ disputed, released, resolved }: Flags) => disputed || released || resolved;

const isFlagged = (milestone: Milestone) => isApproved(milestone) || ('flags' in milestone && isSet(milestone.flags));

const hasFlags = (escrow: Escrow): boolean =>
  escrow.milestones.some(isFlagged) || (escrow.type === 'single-release' && isSet(escrow.flags));

const isDisputed = (escrow: Escrow): boolean =>
  escrow.type === 'single-release' ? escrow.flags.disputed : escrow.milestones.some(({ flags }) => flags.disputed);
