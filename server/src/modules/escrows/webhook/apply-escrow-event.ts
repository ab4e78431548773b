// Applies what the escrow provider tells about an order, by the same decisions as our own requests, in one commit with the
// event itself. What is so already changes nothing, so an event that comes late can never move an order back.

import type { EscrowEventType } from '@holdfast/contract/api/webhooks.ts';
import { DomainError } from '../../../base/domain-error.ts';
import { command, type UnitOfWork } from '../../../commit/command.ts';
import { openDisputeOn } from '../../disputes/open-dispute.ts';
import { completeMilestoneOn } from '../../orders/complete-milestone.ts';
import type { OrderView } from '../../orders/order-view.ts';
import { liveEscrow, onOrder, orderNeeds, viewOf } from '../../orders/order-work.ts';
import { isDuplicate, keepEvent, type ToldEvent } from '../../webhooks/record-webhook.ts';
import { confirmEscrow } from '../confirm-escrow.ts';
import { confirmFunding } from '../confirm-funding.ts';
import { confirmRefund, confirmRelease } from '../confirm-settlement.ts';
import type { Escrow } from '../escrow.ts';
import { noteFundingStarted } from '../start-funding.ts';

/** What is said to have happened to an order's escrow. */
export type EscrowNews = {
  readonly type: EscrowEventType;
  readonly orderId: string;
  /** Where a contract came into being. */
  readonly contractId: string | null;
  /** Where a milestone was completed. */
  readonly milestoneRef: string | null;
};

type TakeInput = {
  readonly news: EscrowNews;
  /** The provider signed it, or the outside systems show it. Otherwise it may only tell what is so already. */
  readonly proven: boolean;
};

type Rule<Result> = (at: { readonly view: OrderView; readonly escrow: Escrow; readonly news: EscrowNews }) => Result;

/** Our own refund or resolution disputes the contract first: that is no dispute of the parties. */
const isOwnDispute = ({ operation }: OrderView, { calls }: Escrow): boolean =>
  operation?.kind === 'refund' || operation?.kind === 'resolve-dispute' || calls.some(({ call }) => call === 'dispute');

const SO_ALREADY: Readonly<Record<EscrowEventType, Rule<boolean>>> = {
  'escrow.created': ({ escrow, news }) => escrow.status !== 'CREATING' && escrow.providerContractId === news.contractId,
  'escrow.funding_started': ({ escrow }) => escrow.status !== 'CREATING' && escrow.status !== 'CREATED',
  'escrow.funded': ({ escrow }) => escrow.fundedAt !== null,
  'escrow.milestone_completed': ({ view, news }) =>
    view.milestones.some(({ ref, status }) => ref === news.milestoneRef && status === 'COMPLETED'),
  // A split is both.
  'escrow.released': ({ view: { order } }) => order.finalStatus === 'RELEASED' || order.finalStatus === 'SPLIT',
  'escrow.refunded': ({ view: { order } }) => order.finalStatus === 'REFUNDED' || order.finalStatus === 'SPLIT',
  'escrow.disputed': ({ view, escrow }) => view.dispute !== null || isOwnDispute(view, escrow),
};

/** Whether the order's rows say the same already, or more. */
export const isSoAlready = (view: OrderView, news: EscrowNews): boolean =>
  view.escrow !== null && SO_ALREADY[news.type]({ view, escrow: view.escrow, news });

const EFFECTS: Readonly<Record<EscrowEventType, (work: UnitOfWork, news: EscrowNews) => void>> = {
  'escrow.created': (work, { orderId, contractId }) => confirmEscrow(work, { orderId, contractId: contractId ?? '' }),
  'escrow.funding_started': noteFundingStarted,
  'escrow.funded': confirmFunding,
  'escrow.milestone_completed': (work, { orderId, milestoneRef }) =>
    completeMilestoneOn(work, { orderId, ref: milestoneRef ?? '' }),
  'escrow.released': confirmRelease,
  'escrow.refunded': confirmRefund,
  'escrow.disputed': (work, { orderId }) =>
    void openDisputeOn(work, { orderId, openedBy: 'BUYER', reason: 'OTHER', evidence: null }),
};

/** Between the look at the outside systems and this commit the order may have moved on. */
const unproven = ({ order }: OrderView): DomainError =>
  new DomainError('INVALID_STATE', {
    message: 'The order has changed since the event was looked at. Tell it again.',
    details: { currentState: order.status, allowedActions: [] },
  });

const apply = (work: UnitOfWork, { news, proven }: TakeInput): void => {
  const view = viewOf(work, news.orderId);
  liveEscrow(view);
  if (isSoAlready(view, news)) return;
  if (!proven) throw unproven(view);
  EFFECTS[news.type](work, news);
};

export const takeEscrowEvent = command<TakeInput & { readonly told: ToldEvent }, { duplicate: boolean }>({
  name: 'take-escrow-event',
  needs: ({ news, told }) => ({
    rows: [...orderNeeds(news.orderId).rows, { table: 'webhookEvents', id: told.id }],
  }),
  needsNext: ({ news }, work) => onOrder.needsNext(news, work),
  decide(input, work) {
    if (isDuplicate(work.find('webhookEvents', input.told.id), input.told)) return { duplicate: true };
    apply(work, input);
    keepEvent(work, input.told, null);
    return { duplicate: false };
  },
});

/** The same for what we saw at the provider ourselves: there is no event to keep. */
export const seeEscrow = command<EscrowNews, void>({
  name: 'see-escrow',
  ...onOrder,
  decide: (news, work) => apply(work, { news, proven: true }),
});
