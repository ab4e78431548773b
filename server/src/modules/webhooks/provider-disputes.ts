// Tells a dispute that a party opened in the contract from one of our own. Our own refunds and resolutions dispute the contract first.
// A contract that pays each milestone separately is compared milestone by milestone, once any of them was disputed.

import { DomainError } from '../../base/domain-error.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import type { EscrowRecord } from '../../providers/ports.ts';
import { disputeMilestoneOn, openDisputeOn } from '../disputes/open-dispute.ts';
import { isCalled } from '../escrows/escrow.ts';
import type { WithEscrow } from '../orders/order.ts';

type Disputed = {
  readonly view: WithEscrow;
  /** The milestones that the provider shows as disputed, by place. Null: the provider was not asked. */
  readonly places: readonly number[] | null;
};

const DISPUTING: ReadonlySet<string> = new Set(['refund', 'refund-milestone', 'resolve-dispute']);

const isDisputing = ({ operation }: WithEscrow): boolean => operation !== null && DISPUTING.has(operation.kind);

const wasDisputed = ({ dispute, escrow }: WithEscrow): boolean =>
  dispute !== null || escrow.calls.some(({ call }) => call === 'dispute');

/** Whether a report of a dispute says too little: it may be about a milestone that our rows show as disputed, or about another one. */
export const needsPlaces = (view: WithEscrow): boolean =>
  view.escrow.contractType === 'multi-release' &&
  view.order.status === 'IN_PROGRESS' &&
  wasDisputed(view) &&
  !isDisputing(view);

/** The milestones whose disputes are open in the contract, by place. */
export const disputedPlaces = ({ milestones }: EscrowRecord): readonly number[] =>
  milestones.flatMap(({ flags }, place) => (flags?.disputed && !flags.resolved && !flags.released ? [place] : []));

/** The milestones that a party disputed and that our rows do not show as disputed. */
const newlyDisputed = ({ milestones, escrow }: WithEscrow, places: readonly number[]): readonly string[] =>
  milestones
    .filter(({ place, status }) => places.includes(place) && (status === 'OPEN' || status === 'COMPLETED'))
    .filter(({ place }) => !isCalled(escrow, { call: 'dispute', milestone: place }))
    .map(({ ref }) => ref);

/** Whether the rows show the dispute already. False where only the provider can tell. */
export const isDisputeKnown = ({ view, places }: Disputed): boolean => {
  if (!needsPlaces(view)) return wasDisputed(view) || isDisputing(view);
  return places !== null && newlyDisputed(view, places).length === 0;
};

/** Opens a dispute of the order, or of each milestone where some were disputed or paid on their own before. */
export const openProviderDispute = (work: UnitOfWork, { view, places }: Disputed): void => {
  const input = { orderId: view.order.id, openedBy: 'BUYER', reason: 'OTHER', evidence: null } as const;
  if (!needsPlaces(view)) return void openDisputeOn(work, input);
  if (places === null) {
    throw new DomainError('INVALID_STATE', {
      message: 'A milestone of the order was disputed since. The next poll reads from the provider which ones are.',
    });
  }
  for (const ref of newlyDisputed(view, places)) disputeMilestoneOn(work, { ...input, ref });
};
