// Ends the resolution of a dispute: confirms it when the contract has paid as decided, or undoes it when the payout was refused.

import { transition } from '../../base/machine.ts';
import { formatAmount, fromUnits } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { failSettlement } from '../escrows/fail-settlement.ts';
import { type EscrowParts, settlementHandler } from '../escrows/operations/handlers.ts';
import { type Settlement, settleOrder } from '../escrows/settle-order.ts';
import type { OperationHandler } from '../operations/operation-context.ts';
import { onOrder, viewOf } from '../orders/order-work.ts';
import { DISPUTE_MACHINE } from './machine.ts';

const OUTCOMES = {
  FULL_RELEASE: { on: 'dispute.released', finalStatus: 'RELEASED' },
  FULL_REFUND: { on: 'dispute.refunded', finalStatus: 'REFUNDED' },
  SPLIT: { on: 'dispute.split', finalStatus: 'SPLIT' },
} as const satisfies Record<string, Pick<Settlement, 'on' | 'finalStatus'>>;

/** The operation that paid holds the decision. */
export const confirmResolution = command<{ readonly orderId: string }, void>({
  name: 'confirm-resolution',
  ...onOrder,
  decide({ orderId }, work) {
    const view = viewOf(work, orderId);
    const { operation, dispute } = view;
    const decision = operation?.ask.decision;
    if (!operation || !dispute || !decision) throw new Error('a dispute is resolved only by its own operation');
    const { ask } = operation;
    const seller = fromUnits(BigInt(ask.sellerUnits ?? '0'));
    const buyer = fromUnits(BigInt(ask.buyerUnits ?? '0'));
    settleOrder(work, view, { ...OUTCOMES[decision], seller, buyer });
    const note = ask.note ?? null;
    const { to: status, emits } = transition(DISPUTE_MACHINE, { from: dispute.status, on: 'resolve' });
    work.put('disputes', {
      ...dispute,
      status,
      resolutionDecision: decision,
      decisionNote: note,
      sellerAmount: seller,
      buyerAmount: buyer,
      resolvedAt: work.now,
      updatedAt: work.now,
    });
    const amounts = { buyerAmount: formatAmount(buyer), sellerAmount: formatAmount(seller) };
    work.emit(
      emits[0],
      dispute.id,
      {
        disputeId: dispute.id,
        orderId,
        decision,
        resolvedBy: ask.actor.id,
        resolvedAt: work.now,
        ...(note === null ? {} : { decisionNote: note }),
        ...amounts,
      },
      { userId: view.order.buyerId },
    );
    work.audit({
      action: 'DISPUTE_RESOLVED',
      resourceType: 'Dispute',
      resourceId: dispute.id,
      userId: view.order.buyerId,
      before: { status: dispute.status },
      after: { status, decision, note, sellerAmount: amounts.sellerAmount, buyerAmount: amounts.buyerAmount },
    });
  },
});

const failResolution = failSettlement('resolution', 'DISPUTE_RESOLUTION_FAILED');

export const resolutionHandler = (parts: EscrowParts): OperationHandler =>
  settlementHandler(parts, { confirm: confirmResolution, fail: failResolution });
