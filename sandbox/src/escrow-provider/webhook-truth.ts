// Whether an event is true of an escrow, by the state of its contract and the ledger. The simulator sends no other event, because a
// receiver that trusts the signature moves money.

import type { Contract } from '../ledger-network/store.ts';
import type { Escrow, Flags } from './contract/escrow.ts';
import { amountOf } from './present-escrow.ts';

export const ESCROW_EVENTS = [
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'escrow.disputed',
] as const;
export type EscrowEvent = (typeof ESCROW_EVENTS)[number];

export type Seen = {
  contract: Contract;
  // The total received, and the receivers that were paid.
  received: bigint;
  paid: ReadonlySet<string>;
  // The position of the milestone, for an event about one.
  milestone: number | null;
};

const escrowIn = ({ contract }: Seen) => contract.data as Escrow;

const buyerOf = ({ roles }: Escrow) => roles.approver;
const sellerOf = ({ roles }: Escrow) => roles.serviceProvider;

const partsOf = (escrow: Escrow): Flags[] =>
  escrow.type === 'single-release' ? [escrow.flags] : escrow.milestones.map(({ flags }) => flags);

const isOver = (seen: Seen) => partsOf(escrowIn(seen)).every(({ released, resolved }) => released || resolved);

function isWorkedOn(seen: Seen): boolean {
  const milestone = escrowIn(seen).milestones[seen.milestone ?? -1];
  if (milestone === undefined) return false;
  const approved = 'approved' in milestone ? milestone.approved : milestone.flags.approved;
  return approved || !['pending', ''].includes(milestone.status);
}

export const IS_TRUE: Record<EscrowEvent, (seen: Seen) => boolean> = {
  'escrow.created': () => true,
  'escrow.funding_started': (seen) => !isOver(seen),
  'escrow.funded': (seen) => seen.received >= amountOf(escrowIn(seen)),
  'escrow.milestone_completed': isWorkedOn,
  // A decision can give everything to one side: then the ledger shows to which.
  'escrow.released': (seen) =>
    isOver(seen) && seen.paid.has(sellerOf(escrowIn(seen))) && !seen.paid.has(buyerOf(escrowIn(seen))),
  'escrow.refunded': (seen) =>
    isOver(seen) && seen.paid.has(buyerOf(escrowIn(seen))) && !seen.paid.has(sellerOf(escrowIn(seen))),
  'escrow.disputed': (seen) => partsOf(escrowIn(seen)).some(({ disputed }) => disputed),
};
