// Applies an event of the escrow provider by the same decisions as our own requests, in the commit that stores the event. An event
// that the rows already show changes nothing, so a late event can never move an order back.

import type { EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { adoptMilestone } from '../escrows/adopt-milestone.ts';
import { confirmEscrow } from '../escrows/end-escrow-creation.ts';
import { confirmFunding } from '../escrows/end-funding.ts';
import type { Escrow } from '../escrows/escrow.ts';
import { confirmRefund, confirmRelease } from '../escrows/release-and-refund.ts';
import { recordFundingStarted } from '../escrows/start-funding.ts';
import { completeMilestoneOn } from '../orders/complete-milestone.ts';
import type { OrderView } from '../orders/order.ts';
import { liveEscrow, onOrder, orderNeeds, viewOf } from '../orders/order-work.ts';
import { isDisputeKnown, openProviderDispute } from './provider-disputes.ts';
import { isDuplicate, type ReceivedEvent, storeEvent } from './webhook-event.ts';

/** A reported change of an order's escrow. */
type EscrowUpdate = {
  readonly type: EscrowEventType;
  readonly orderId: string;
  /** The new contract; only for escrow.created. */
  readonly contractId: string | null;
  /** For escrow.milestone_completed, and for a payout of one milestone. */
  readonly milestoneRef: string | null;
  /** Only for escrow.disputed: the milestones that the provider shows as disputed, by place, where it was asked. */
  readonly places?: readonly number[] | null;
};

type Rule<Result> = (at: {
  readonly view: OrderView;
  readonly escrow: Escrow;
  readonly update: EscrowUpdate;
}) => Result;

/** The event names a milestone that was paid on its own, by us, and the side that got something of it. */
const isPaidTo =
  (amount: 'releasedAmount' | 'refundedAmount'): Rule<boolean> =>
  ({ view, update }) =>
    view.milestones.some((each) => each.ref === update.milestoneRef && (each[amount] ?? ZERO) > ZERO);

const ALREADY_APPLIED: Readonly<Record<EscrowEventType, Rule<boolean>>> = {
  'escrow.created': ({ escrow, update }) =>
    escrow.status !== 'CREATING' && escrow.providerContractId === update.contractId,
  'escrow.funding_started': ({ escrow }) => escrow.status !== 'CREATING' && escrow.status !== 'CREATED',
  'escrow.funded': ({ escrow }) => escrow.fundedAt !== null,
  'escrow.milestone_completed': ({ view, update }) =>
    view.milestones.some(({ ref, status }) => ref === update.milestoneRef && status !== 'OPEN'),
  // A split pays both sides.
  'escrow.released': (at) =>
    isPaidTo('releasedAmount')(at) || at.view.order.finalStatus === 'RELEASED' || at.view.order.finalStatus === 'SPLIT',
  'escrow.refunded': (at) =>
    isPaidTo('refundedAmount')(at) || at.view.order.finalStatus === 'REFUNDED' || at.view.order.finalStatus === 'SPLIT',
  'escrow.disputed': ({ view, escrow, update }) =>
    isDisputeKnown({ view: { ...view, escrow }, places: update.places ?? null }),
};

/** Whether the order's rows show the same already, or a later state. */
export const isAlreadyApplied = (view: OrderView, update: EscrowUpdate): boolean =>
  view.escrow !== null && ALREADY_APPLIED[update.type]({ view, escrow: view.escrow, update });

/** A payout of the whole contract, or of the milestone that it names where the contract pays each of them separately. */
const paidOut =
  (kind: 'release' | 'refund', confirmWhole: typeof confirmRelease) =>
  (work: UnitOfWork, { orderId, milestoneRef: ref }: EscrowUpdate): void => {
    const isPart = ref !== null && liveEscrow(viewOf(work, orderId)).contractType === 'multi-release';
    if (isPart) adoptMilestone(work, { orderId, ref, kind });
    else confirmWhole(work, { orderId });
  };

const EFFECTS: Readonly<Record<EscrowEventType, (work: UnitOfWork, update: EscrowUpdate) => void>> = {
  'escrow.created': (work, { orderId, contractId }) => confirmEscrow(work, { orderId, contractId: contractId ?? '' }),
  'escrow.funding_started': recordFundingStarted,
  'escrow.funded': confirmFunding,
  'escrow.milestone_completed': (work, { orderId, milestoneRef }) =>
    completeMilestoneOn(work, { orderId, ref: milestoneRef ?? '' }),
  'escrow.released': paidOut('release', confirmRelease),
  'escrow.refunded': paidOut('refund', confirmRefund),
  'escrow.disputed'(work, { orderId, places = null }) {
    const view = viewOf(work, orderId);
    openProviderDispute(work, { view: { ...view, escrow: liveEscrow(view) }, places });
  },
};

/** False: the order's rows show it already, so nothing was changed. */
const apply = (work: UnitOfWork, update: EscrowUpdate): boolean => {
  const view = viewOf(work, update.orderId);
  liveEscrow(view);
  if (isAlreadyApplied(view, update)) return false;
  EFFECTS[update.type](work, update);
  return true;
};

type ApplyInput = { readonly update: EscrowUpdate; readonly received: ReceivedEvent };

/** Only for an event that the provider signed or that the outside systems confirm. A hint that changes nothing is not stored. */
export const applyEscrowEvent = command<ApplyInput, { duplicate: boolean }>({
  name: 'take-escrow-event',
  needs: ({ update, received }) => ({
    rows: [...orderNeeds(update.orderId).rows, { table: 'webhookEvents', id: received.id }],
  }),
  needsNext: ({ update }, work) => onOrder.needsNext(update, work),
  decide({ update, received }, work) {
    if (isDuplicate(work.find('webhookEvents', received.id), received)) return { duplicate: true };
    const isChanged = apply(work, update);
    if (isChanged || received.signed) storeEvent(work, { received, failure: null });
    return { duplicate: false };
  },
});

/** Applies a record that was polled from the provider. There is no event to store. */
export const applyEscrowRecord = command<EscrowUpdate, void>({
  name: 'see-escrow',
  ...onOrder,
  decide: (update, work) => void apply(work, update),
});
