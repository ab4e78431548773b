// The event catalogue: every type that the stream can carry, its resource and its payload. The emitter's types, the stream's filter check
// and the reference page all read this table.

import Type, { type Static } from 'typebox';
import {
  AGGREGATES,
  alert,
  approval,
  availableChange,
  contract,
  decided,
  decimal,
  dispute,
  escrow,
  maybe,
  maybeDecimal,
  money,
  order,
  part,
  reservedChange,
  row,
  text,
  textOrNull,
  topup,
  user,
  withdrawal,
} from './event-fields.ts';

export const EVENTS = {
  'user.created': row('User', { userId: text, externalUserId: text, email: maybe, type: text, status: text }),
  'user.updated': row('User', { ...user, changed: Type.Array(text), updatedAt: text }),
  'user.payment_account_linked': row('User', { userId: text, paymentAccountUserId: text, linkedAt: text }),
  'user.payment_account_changed': row('User', {
    userId: text,
    paymentAccountUserId: text,
    previousPaymentAccountUserId: text,
    changedAt: text,
    payoutsFrom: text,
  }),
  'user.ledger_linked': row('User', { userId: text, ledgerAddress: text, linkedAt: text }),

  'wallet.proved': row('Wallet', { userId: text, walletId: text, ledgerAddress: text, provedAt: text }),

  'balance.credited': row('Balance', { userId: text, ...money, source: text, sourceId: maybe, ...availableChange }),
  'balance.debited': row('Balance', {
    userId: text,
    ...money,
    destination: text,
    destinationId: maybe,
    ...availableChange,
  }),
  'balance.reserved': row('Balance', { userId: text, ...money, orderId: textOrNull, ...reservedChange }),
  'balance.released': row('Balance', { userId: text, ...money, orderId: textOrNull, reason: text, ...reservedChange }),

  'topup.created': row('TopUp', { userId: text, ...money }),
  'topup.confirmation_required': row('TopUp', { topupId: text, confirmationUri: text }),
  'topup.processing': row('TopUp', { topupId: text, providerPayinId: text }),
  'topup.succeeded': row('TopUp', { ...topup, currency: text, newAvailableBalance: decimal, providerPayinId: maybe }),
  'topup.failed': row('TopUp', { ...topup, reason: text, errorCode: maybe, providerPayinId: maybe }),
  'topup.canceled': row('TopUp', { ...topup, canceledBy: text, reason: maybe }),

  'order.created': row('Order', {
    ...order,
    buyerId: text,
    sellerId: text,
    ...money,
    title: text,
    description: maybe,
    clientOrderRef: maybe,
  }),
  'order.funds_reserved': row('Order', {
    ...order,
    buyerId: text,
    ...money,
    reservedBalance: decimal,
    availableBalance: decimal,
  }),
  'order.escrow_creating': row('Order', { ...order, escrowId: text, amount: decimal }),
  'order.escrow_funding': row('Order', { ...order, escrowId: text, ...contract }),
  'order.escrow_funded': row('Order', { ...order, escrowId: text, ...contract, fundedAt: text }),
  'order.in_progress': row('Order', { ...order, escrowId: text }),
  'order.release_requested': row('Order', { ...order, requestedBy: text, requestedAt: text }),
  'order.released': row('Order', { ...order, sellerId: text, ...money, releasedAt: text, newSellerBalance: decimal }),
  'order.refund_requested': row('Order', { ...order, requestedBy: text, requestedAt: text }),
  'order.refunded': row('Order', { ...order, buyerId: text, ...money, refundedAt: text, newBuyerBalance: decimal }),
  'order.disputed': row('Order', { ...order, disputeId: text, openedBy: text, reason: text, openedAt: text }),
  'order.milestone_released': row('Order', {
    ...part,
    sellerId: text,
    ...money,
    fee: decimal,
    releasedAt: text,
    newSellerBalance: decimal,
  }),
  'order.milestone_refunded': row('Order', {
    ...part,
    buyerId: text,
    ...money,
    refundedAt: text,
    newBuyerBalance: decimal,
  }),
  'order.milestone_disputed': row('Order', {
    ...part,
    disputeId: text,
    openedBy: text,
    reason: text,
    openedAt: text,
  }),
  'order.deadline_reminder': row('Order', { ...order, kind: text, at: text, milestoneRef: maybe, remindedAt: text }),
  'order.deadline_passed': row('Order', {
    ...order,
    kind: text,
    at: text,
    action: text,
    milestoneRef: maybe,
    passedAt: text,
  }),
  'order.closed': row('Order', { ...order, finalStatus: text, closedAt: text }),
  'order.canceled': row('Order', {
    ...order,
    buyerId: text,
    canceledBy: text,
    reason: maybe,
    canceledAt: text,
    fundsReleased: Type.Boolean(),
  }),

  'escrow.created': row('Escrow', { ...escrow, ...money }),
  'escrow.funding_started': row('Escrow', { ...escrow, ...contract }),
  'escrow.funded': row('Escrow', { ...escrow, ...contract, fundedAt: text }),
  'escrow.milestone_completed': row('Escrow', {
    ...escrow,
    milestoneRef: text,
    milestoneTitle: text,
    amount: decimal,
    completedAt: text,
  }),
  'escrow.released': row('Escrow', { ...escrow, sellerId: text, amount: decimal, releasedAt: text }),
  'escrow.refunded': row('Escrow', { ...escrow, buyerId: text, amount: decimal, refundedAt: text }),

  'dispute.opened': row('Dispute', {
    ...dispute,
    openedBy: text,
    reason: text,
    evidence: Type.Optional(Type.Array(text)),
    openedAt: text,
  }),
  'dispute.under_review': row('Dispute', { ...dispute, reviewedBy: maybe, reviewStartedAt: text }),
  'dispute.resolved': row('Dispute', {
    ...dispute,
    decision: text,
    decisionNote: maybe,
    resolvedBy: text,
    resolvedAt: text,
    buyerAmount: maybeDecimal,
    sellerAmount: maybeDecimal,
  }),

  'dispute.evidence_submitted': row('Dispute', {
    ...dispute,
    evidenceId: text,
    submittedBy: text,
    contentType: text,
    sizeBytes: Type.Integer(),
    sha256: text,
    submittedAt: text,
  }),
  'dispute.message': row('Dispute', { ...dispute, messageId: text, from: text, sentAt: text }),

  'withdrawal.created': row('Withdrawal', {
    ...withdrawal,
    currency: text,
    destinationType: text,
    destinationRef: text,
  }),
  'withdrawal.committed': row('Withdrawal', {
    ...withdrawal,
    currency: text,
    committedBalance: decimal,
    availableBalance: decimal,
  }),
  'withdrawal.pending': row('Withdrawal', { ...withdrawal, providerPayoutId: text }),
  'withdrawal.pending_user_action': row('Withdrawal', {
    withdrawalId: text,
    userId: text,
    actionRequired: text,
    actionUrl: maybe,
  }),
  'withdrawal.completed': row('Withdrawal', {
    ...withdrawal,
    currency: text,
    completedAt: text,
    providerPayoutId: maybe,
  }),
  'withdrawal.failed': row('Withdrawal', { ...withdrawal, reason: text, errorCode: maybe, providerPayoutId: maybe }),
  'withdrawal.canceled': row('Withdrawal', {
    ...withdrawal,
    canceledBy: text,
    reason: maybe,
    refundedToBalance: Type.Boolean(),
    newAvailableBalance: maybeDecimal,
  }),

  'approval.requested': row('Approval', { ...approval, orderId: maybe, userId: maybe, expiresAt: text }),
  'approval.approved': row('Approval', decided),
  'approval.rejected': row('Approval', { ...decided, reason: maybe }),
  'approval.canceled': row('Approval', decided),
  'approval.expired': row('Approval', { ...approval, expiredAt: text }),
  'approval.failed': row('Approval', { ...decided, code: text, reason: text }),

  'correction.applied': row('Correction', {
    correctionId: text,
    kind: text,
    resourceId: text,
    reason: text,
    amount: maybeDecimal,
    currency: maybe,
    orderId: maybe,
    appliedBy: text,
    appliedAt: text,
  }),

  'system.break_opened': row('System', alert),
  'system.break_closed': row('System', alert),
  'system.treasury_low': row('System', alert),
  'system.treasury_recovered': row('System', alert),
  'system.operation_stuck': row('System', alert),
  'system.operation_recovered': row('System', alert),
  'system.withdrawal_stuck': row('System', alert),
  'system.withdrawal_recovered': row('System', alert),
  'system.deadline_stuck': row('System', alert),
  'system.deadline_recovered': row('System', alert),
  'system.endpoint_disabled': row('System', alert),
  'system.endpoint_enabled': row('System', alert),
  'system.proof_failed': row('System', alert),
  'system.proof_recovered': row('System', alert),
  'system.backup_late': row('System', alert),
  'system.backup_recovered': row('System', alert),
  'system.approval_waiting': row('System', alert),
  'system.approval_decided': row('System', alert),
} as const;

export type EventType = keyof typeof EVENTS;

export type EventPayload<T extends EventType> = Static<(typeof EVENTS)[T]['payload']>;

/** The event types of a filter such as `order.*`; null for `*`, which means all of them, and undefined when there is no such type. */
export const eventTypesOf = (filter: string): readonly string[] | null | undefined => {
  if (filter === '*') return null;
  const all = Object.keys(EVENTS);
  const types = filter.endsWith('.*')
    ? all.filter((type) => type.startsWith(filter.slice(0, -1)))
    : all.filter((type) => type === filter);
  return types.length > 0 ? types : undefined;
};

/** The resources of a stream without a filter. Alerts go only to a reader that names them: other readers count events. */
export const ORDINARY_AGGREGATES: readonly string[] = AGGREGATES.filter((name) => name !== 'System');

/** The envelope of every event on the wire. */
export const EventEnvelope = Type.Object({
  eventId: Type.String({ description: 'Unique. Delivery is at least once, so de-duplicate by this id.' }),
  eventType: Type.Enum(Object.keys(EVENTS) as EventType[]),
  occurredAt: Type.String({ format: 'date-time', description: 'Strictly increasing within a marketplace.' }),
  aggregateId: Type.String({ description: 'Id of the resource that produced the event.' }),
  aggregateType: Type.Enum(AGGREGATES),
  payload: Type.Object({}, { additionalProperties: true }),
  metadata: Type.Object(
    {
      correlationId: Type.Optional(Type.String({ description: 'Request id of the call that caused the event.' })),
      causationId: Type.Optional(Type.String({ description: 'Id of the command that caused the event.' })),
      userId: Type.Optional(Type.String()),
      marketplaceId: Type.Optional(Type.String()),
      platformFeeAmount: Type.Optional(Type.String({ description: "The platform's fee of a settlement; an amount." })),
      position: Type.Optional(
        Type.Integer({
          description:
            'Gapless within a marketplace. A stream leaves out the positions of events that it does not carry: those outside its filter, and `system.*` where no filter names them.',
        }),
      ),
    },
    { additionalProperties: true },
  ),
});
