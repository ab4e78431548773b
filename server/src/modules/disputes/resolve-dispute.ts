// Resolves a dispute: the request, its confirmation when the contract has paid as decided, and its failure. The dispute stays under
// review until the contract has paid.

import type { DisputeDecision } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { step, transition } from '../../base/machine.ts';
import { type Amount, formatAmount, fromUnits, plus, ZERO } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Preview } from '../../commit/preview/preview.ts';
import { type EscrowParts, settlementHandler } from '../escrows/operations/handlers.ts';
import { previewSettlement } from '../escrows/operations/preview-escrow.ts';
import { heldView, settleMilestone } from '../escrows/pay-milestone.ts';
import { failSettlement } from '../escrows/release-and-refund.ts';
import { type Settlement, settleOrder } from '../escrows/settle-order.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationHandler } from '../operations/operation-context.ts';
import { beginOperation } from '../operations/operation-work.ts';
import type { DisputeView } from '../orders/order.ts';
import { liveEscrow, onOrder, orderNeeds, orderNeedsNext, putOrder, underWay, viewOf } from '../orders/order-work.ts';
import { leftOf, milestoneOf } from '../orders/paid-milestones.ts';
import type { Dispute } from './dispute.ts';
import { DISPUTE_MACHINE } from './machine.ts';

type BeginResolutionInput = {
  readonly disputeId: string;
  readonly orderId: string;
  readonly decision: DisputeDecision;
  /** Both are needed for a SPLIT. For another decision they are optional and must match it. */
  readonly sellerAmount: Amount | null;
  readonly buyerAmount: Amount | null;
  readonly note: string | null;
};

const partsOf = (input: BeginResolutionInput, amount: Amount): { seller: Amount; buyer: Amount } => {
  const { decision, sellerAmount, buyerAmount } = input;
  const refuse = (message: string): never => {
    const shown = (part: Amount | null) => (part === null ? null : formatAmount(part));
    throw new DomainError('INVALID_AMOUNT', {
      message,
      details: { amount: formatAmount(amount), releaseAmount: shown(sellerAmount), refundAmount: shown(buyerAmount) },
    });
  };
  if (decision === 'SPLIT') {
    if (sellerAmount === null || buyerAmount === null) {
      return refuse('A SPLIT needs releaseAmount and refundAmount.');
    }
    if (plus(sellerAmount, buyerAmount) !== amount) {
      return refuse(`releaseAmount and refundAmount must sum to ${formatAmount(amount)}.`);
    }
    return { seller: sellerAmount, buyer: buyerAmount };
  }
  const parts = decision === 'FULL_RELEASE' ? { seller: amount, buyer: ZERO } : { seller: ZERO, buyer: amount };
  if ((sellerAmount ?? parts.seller) !== parts.seller || (buyerAmount ?? parts.buyer) !== parts.buyer) {
    return refuse(`The amounts do not fit ${decision}. Leave them out, or decide SPLIT.`);
  }
  return parts;
};

export const beginResolutionOn = (work: UnitOfWork, input: BeginResolutionInput): Operation => {
  const { disputeId, orderId, decision, note } = input;
  const dispute = work.get('disputes', disputeId);
  const view = viewOf(work, orderId);
  step(DISPUTE_MACHINE, { from: dispute.status, on: 'resolve', details: underWay(view) });
  if (view.operation) {
    throw new DomainError('INVALID_STATE', {
      message: 'The dispute is being resolved. Check it again in a few seconds.',
      details: { currentState: dispute.status, allowedActions: [], ...underWay(view) },
      status: 400,
    });
  }
  const { milestoneRef } = dispute;
  const { seller, buyer } = partsOf(
    input,
    milestoneRef === null ? leftOf(view) : milestoneOf(view, milestoneRef).amount,
  );
  const operation = beginOperation(work, {
    order: view.order,
    kind: 'resolve-dispute',
    escrowId: liveEscrow(view).id,
    disputeId,
    ask: {
      decision,
      note,
      sellerUnits: String(seller),
      buyerUnits: String(buyer),
      ...(milestoneRef === null ? {} : { milestoneRef }),
    },
  });
  putOrder(work, { ...view.order, operationId: operation.id });
  work.audit({
    action: 'DISPUTE_RESOLUTION_REQUESTED',
    resourceType: 'Dispute',
    resourceId: disputeId,
    userId: view.order.buyerId,
    after: { decision, note, sellerAmount: formatAmount(seller), buyerAmount: formatAmount(buyer) },
  });
  return operation;
};

export const beginResolution = command<BeginResolutionInput, Operation>({
  name: 'begin-resolution',
  needs: ({ disputeId, orderId }) => ({ rows: [{ table: 'disputes', id: disputeId }, ...orderNeeds(orderId).rows] }),
  needsNext: ({ orderId }, work) => orderNeedsNext(orderId, work),
  decide: (input, work) => beginResolutionOn(work, input),
});

export const OUTCOMES = {
  FULL_RELEASE: { on: 'dispute.released', finalStatus: 'RELEASED' },
  FULL_REFUND: { on: 'dispute.refunded', finalStatus: 'REFUNDED' },
  SPLIT: { on: 'dispute.split', finalStatus: 'SPLIT' },
} as const satisfies Record<string, Pick<Settlement, 'on' | 'finalStatus'>>;

/** A SPLIT of a milestone that gives one side everything ends it as a release or a refund. */
const outcomeOf = (decision: DisputeDecision, { seller, buyer }: { seller: Amount; buyer: Amount }) => {
  if (decision !== 'SPLIT') return OUTCOMES[decision].on;
  if (seller === ZERO) return OUTCOMES.FULL_REFUND.on;
  return buyer === ZERO ? OUTCOMES.FULL_RELEASE.on : OUTCOMES.SPLIT.on;
};

/** Several milestones may be disputed at the same time: the order shows the newest of those that are still open. */
const showOpenDispute = (work: UnitOfWork, orderId: string): void => {
  const open = work
    .listBy('disputes', { by: 'order', value: orderId })
    .filter(({ status }) => status !== 'RESOLVED')
    .sort((a, b) => (a.id < b.id ? 1 : -1))[0];
  if (open) putOrder(work, { ...work.get('orders', orderId), disputeId: open.id });
};

type Resolution = {
  readonly dispute: Dispute;
  readonly row: { readonly to: 'RESOLVED'; readonly emits: readonly ['dispute.resolved'] };
  readonly decision: DisputeDecision;
  readonly seller: Amount;
  readonly buyer: Amount;
  readonly note: string | null;
  readonly resolvedBy: string;
};

/** The contract has paid as decided, and the order or its milestone is settled. */
export const recordResolution = (work: UnitOfWork, resolution: Resolution): void => {
  const { dispute, row, decision, seller, buyer, note, resolvedBy } = resolution;
  const { id: disputeId, orderId } = dispute;
  const { buyerId: userId } = work.get('orders', orderId);
  work.put('disputes', {
    ...dispute,
    status: row.to,
    resolutionDecision: decision,
    decisionNote: note,
    sellerAmount: seller,
    buyerAmount: buyer,
    resolvedAt: work.now,
    updatedAt: work.now,
  });
  showOpenDispute(work, orderId);
  const amounts = { buyerAmount: formatAmount(buyer), sellerAmount: formatAmount(seller) };
  work.emit({
    type: row.emits[0],
    aggregateId: disputeId,
    userId,
    payload: {
      disputeId,
      orderId,
      decision,
      resolvedBy,
      resolvedAt: work.now,
      ...(note === null ? {} : { decisionNote: note }),
      ...amounts,
    },
  });
  work.audit({
    action: 'DISPUTE_RESOLVED',
    resourceType: 'Dispute',
    resourceId: disputeId,
    userId,
    before: { status: dispute.status },
    after: { status: row.to, decision, note, sellerAmount: amounts.sellerAmount, buyerAmount: amounts.buyerAmount },
  });
};

/** The decision is stored on the operation that paid. */
export const confirmResolution = command<{ readonly orderId: string; readonly operationId: string }, void>({
  name: 'confirm-resolution',
  ...onOrder,
  decide({ orderId, operationId }, work) {
    const { view, operation } = heldView(work, { orderId, operationId });
    const { ask, disputeId } = operation;
    const { decision, milestoneRef } = ask;
    if (disputeId === null || !decision) throw new Error('a dispute is resolved only by its own operation');
    const dispute = work.get('disputes', disputeId);
    const seller = fromUnits(BigInt(ask.sellerUnits ?? '0'));
    const buyer = fromUnits(BigInt(ask.buyerUnits ?? '0'));
    const shares = { seller, buyer };
    if (milestoneRef === undefined) settleOrder(work, { view, ...OUTCOMES[decision], ...shares });
    else settleMilestone(work, { view, ref: milestoneRef, on: outcomeOf(decision, shares), ...shares });
    const row = transition(DISPUTE_MACHINE, { from: dispute.status, on: 'resolve' });
    recordResolution(work, { dispute, row, decision, ...shares, note: ask.note ?? null, resolvedBy: ask.actor.id });
  },
});

export const failResolution = failSettlement('resolution', 'DISPUTE_RESOLUTION_FAILED');

const readDispute = command<{ readonly disputeId: string }, Dispute>({
  name: 'read-dispute',
  needs: ({ disputeId }) => ({ rows: [{ table: 'disputes', id: disputeId }] }),
  decide: ({ disputeId }, work) => work.get('disputes', disputeId),
});

/** The decision and its payment in a row, as if each call of the contract had succeeded. */
export const previewResolution = async (preview: Preview, input: BeginResolutionInput): Promise<DisputeView> => {
  const order = await previewSettlement(preview, { begin: beginResolution, confirm: confirmResolution, input });
  return { dispute: await preview.run({ command: readDispute, input }), order };
};

export const resolutionHandler = (parts: EscrowParts): OperationHandler =>
  settlementHandler(parts, { confirm: confirmResolution, fail: failResolution });
