// Every event of the stream, with its payload.
// Printed from contract/src/events.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';

export type EventPayloads = {
  'user.created': {
    userId: string;
    externalUserId: string;
    email?: string;
    type: string;
    status: string;
  };
  'user.updated': {
    userId: string;
    externalUserId: string;
    email: string | null;
    name: string | null;
    type: string;
    status: string;
    changed: string[];
    updatedAt: string;
  };
  'user.payment_account_linked': {
    userId: string;
    paymentAccountUserId: string;
    linkedAt: string;
  };
  'user.payment_account_changed': {
    userId: string;
    paymentAccountUserId: string;
    previousPaymentAccountUserId: string;
    changedAt: string;
    payoutsFrom: string;
  };
  'user.ledger_linked': {
    userId: string;
    ledgerAddress: string;
    linkedAt: string;
  };
  'wallet.proved': {
    userId: string;
    walletId: string;
    ledgerAddress: string;
    provedAt: string;
  };
  'balance.credited': {
    userId: string;
    amount: Amount;
    currency: string;
    source: string;
    sourceId?: string;
    previousAvailableBalance: Amount;
    newAvailableBalance: Amount;
  };
  'balance.debited': {
    userId: string;
    amount: Amount;
    currency: string;
    destination: string;
    destinationId?: string;
    previousAvailableBalance: Amount;
    newAvailableBalance: Amount;
  };
  'balance.reserved': {
    userId: string;
    amount: Amount;
    currency: string;
    orderId: string | null;
    previousReservedBalance: Amount;
    newReservedBalance: Amount;
    previousAvailableBalance: Amount;
    newAvailableBalance: Amount;
  };
  'balance.released': {
    userId: string;
    amount: Amount;
    currency: string;
    orderId: string | null;
    reason: string;
    previousReservedBalance: Amount;
    newReservedBalance: Amount;
    previousAvailableBalance: Amount;
    newAvailableBalance: Amount;
  };
  'topup.created': {
    userId: string;
    amount: Amount;
    currency: string;
  };
  'topup.confirmation_required': {
    topupId: string;
    confirmationUri: string;
  };
  'topup.processing': {
    topupId: string;
    providerPayinId: string;
  };
  'topup.succeeded': {
    topupId: string;
    userId: string;
    amount: Amount;
    currency: string;
    newAvailableBalance: Amount;
    providerPayinId?: string;
  };
  'topup.failed': {
    topupId: string;
    userId: string;
    amount: Amount;
    reason: string;
    errorCode?: string;
    providerPayinId?: string;
  };
  'topup.canceled': {
    topupId: string;
    userId: string;
    amount: Amount;
    canceledBy: string;
    reason?: string;
  };
  'order.created': {
    orderId: string;
    buyerId: string;
    sellerId: string;
    amount: Amount;
    currency: string;
    title: string;
    description?: string;
    clientOrderRef?: string;
  };
  'order.funds_reserved': {
    orderId: string;
    buyerId: string;
    amount: Amount;
    currency: string;
    reservedBalance: Amount;
    availableBalance: Amount;
  };
  'order.escrow_creating': {
    orderId: string;
    escrowId: string;
    amount: Amount;
  };
  'order.escrow_funding': {
    orderId: string;
    escrowId: string;
    providerContractId: string;
    amount: Amount;
  };
  'order.escrow_funded': {
    orderId: string;
    escrowId: string;
    providerContractId: string;
    amount: Amount;
    fundedAt: string;
  };
  'order.in_progress': {
    orderId: string;
    escrowId: string;
  };
  'order.release_requested': {
    orderId: string;
    requestedBy: string;
    requestedAt: string;
  };
  'order.released': {
    orderId: string;
    sellerId: string;
    amount: Amount;
    currency: string;
    releasedAt: string;
    newSellerBalance: Amount;
  };
  'order.refund_requested': {
    orderId: string;
    requestedBy: string;
    requestedAt: string;
  };
  'order.refunded': {
    orderId: string;
    buyerId: string;
    amount: Amount;
    currency: string;
    refundedAt: string;
    newBuyerBalance: Amount;
  };
  'order.disputed': {
    orderId: string;
    disputeId: string;
    openedBy: string;
    reason: string;
    openedAt: string;
  };
  'order.milestone_released': {
    orderId: string;
    milestoneRef: string;
    sellerId: string;
    amount: Amount;
    currency: string;
    fee: Amount;
    releasedAt: string;
    newSellerBalance: Amount;
  };
  'order.milestone_refunded': {
    orderId: string;
    milestoneRef: string;
    buyerId: string;
    amount: Amount;
    currency: string;
    refundedAt: string;
    newBuyerBalance: Amount;
  };
  'order.milestone_disputed': {
    orderId: string;
    milestoneRef: string;
    disputeId: string;
    openedBy: string;
    reason: string;
    openedAt: string;
  };
  'order.deadline_reminder': {
    orderId: string;
    kind: string;
    at: string;
    milestoneRef?: string;
    remindedAt: string;
  };
  'order.deadline_passed': {
    orderId: string;
    kind: string;
    at: string;
    action: string;
    milestoneRef?: string;
    passedAt: string;
  };
  'order.closed': {
    orderId: string;
    finalStatus: string;
    closedAt: string;
  };
  'order.canceled': {
    orderId: string;
    buyerId: string;
    canceledBy: string;
    reason?: string;
    canceledAt: string;
    fundsReleased: boolean;
  };
  'escrow.created': {
    escrowId: string;
    orderId: string;
    amount: Amount;
    currency: string;
  };
  'escrow.funding_started': {
    escrowId: string;
    orderId: string;
    providerContractId: string;
    amount: Amount;
  };
  'escrow.funded': {
    escrowId: string;
    orderId: string;
    providerContractId: string;
    amount: Amount;
    fundedAt: string;
  };
  'escrow.milestone_completed': {
    escrowId: string;
    orderId: string;
    milestoneRef: string;
    milestoneTitle: string;
    amount: Amount;
    completedAt: string;
  };
  'escrow.released': {
    escrowId: string;
    orderId: string;
    sellerId: string;
    amount: Amount;
    releasedAt: string;
  };
  'escrow.refunded': {
    escrowId: string;
    orderId: string;
    buyerId: string;
    amount: Amount;
    refundedAt: string;
  };
  'dispute.opened': {
    disputeId: string;
    orderId: string;
    openedBy: string;
    reason: string;
    evidence?: string[];
    openedAt: string;
  };
  'dispute.under_review': {
    disputeId: string;
    orderId: string;
    reviewedBy?: string;
    reviewStartedAt: string;
  };
  'dispute.resolved': {
    disputeId: string;
    orderId: string;
    decision: string;
    decisionNote?: string;
    resolvedBy: string;
    resolvedAt: string;
    buyerAmount?: Amount;
    sellerAmount?: Amount;
  };
  'dispute.evidence_submitted': {
    disputeId: string;
    orderId: string;
    evidenceId: string;
    submittedBy: string;
    contentType: string;
    sizeBytes: number;
    sha256: string;
    submittedAt: string;
  };
  'dispute.message': {
    disputeId: string;
    orderId: string;
    messageId: string;
    from: string;
    sentAt: string;
  };
  'withdrawal.created': {
    withdrawalId: string;
    userId: string;
    amount: Amount;
    currency: string;
    destinationType: string;
    destinationRef: string;
  };
  'withdrawal.committed': {
    withdrawalId: string;
    userId: string;
    amount: Amount;
    currency: string;
    committedBalance: Amount;
    availableBalance: Amount;
  };
  'withdrawal.pending': {
    withdrawalId: string;
    userId: string;
    amount: Amount;
    providerPayoutId: string;
  };
  'withdrawal.pending_user_action': {
    withdrawalId: string;
    userId: string;
    actionRequired: string;
    actionUrl?: string;
  };
  'withdrawal.completed': {
    withdrawalId: string;
    userId: string;
    amount: Amount;
    currency: string;
    completedAt: string;
    providerPayoutId?: string;
  };
  'withdrawal.failed': {
    withdrawalId: string;
    userId: string;
    amount: Amount;
    reason: string;
    errorCode?: string;
    providerPayoutId?: string;
  };
  'withdrawal.canceled': {
    withdrawalId: string;
    userId: string;
    amount: Amount;
    canceledBy: string;
    reason?: string;
    refundedToBalance: boolean;
    newAvailableBalance?: Amount;
  };
  'approval.requested': {
    approvalId: string;
    action: string;
    requestedBy: string;
    amount?: Amount;
    currency?: string;
    orderId?: string;
    userId?: string;
    expiresAt: string;
  };
  'approval.approved': {
    approvalId: string;
    action: string;
    requestedBy: string;
    amount?: Amount;
    currency?: string;
    decidedBy: string;
    decidedAt: string;
  };
  'approval.rejected': {
    approvalId: string;
    action: string;
    requestedBy: string;
    amount?: Amount;
    currency?: string;
    decidedBy: string;
    decidedAt: string;
    reason?: string;
  };
  'approval.canceled': {
    approvalId: string;
    action: string;
    requestedBy: string;
    amount?: Amount;
    currency?: string;
    decidedBy: string;
    decidedAt: string;
  };
  'approval.expired': {
    approvalId: string;
    action: string;
    requestedBy: string;
    amount?: Amount;
    currency?: string;
    expiredAt: string;
  };
  'approval.failed': {
    approvalId: string;
    action: string;
    requestedBy: string;
    amount?: Amount;
    currency?: string;
    decidedBy: string;
    decidedAt: string;
    code: string;
    reason: string;
  };
  'correction.applied': {
    correctionId: string;
    kind: string;
    resourceId: string;
    reason: string;
    amount?: Amount;
    currency?: string;
    orderId?: string;
    appliedBy: string;
    appliedAt: string;
  };
  'system.break_opened': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.break_closed': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.treasury_low': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.treasury_recovered': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.operation_stuck': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.operation_recovered': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.withdrawal_stuck': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.withdrawal_recovered': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.deadline_stuck': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.deadline_recovered': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.endpoint_disabled': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.endpoint_enabled': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.proof_failed': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.proof_recovered': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.backup_late': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.backup_recovered': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.approval_waiting': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
  'system.approval_decided': {
    kind: string;
    count: number;
    subjects: string[];
    message: string;
    since: string;
  };
};

/** The resource that an event belongs to. */
export type EventResources = {
  'user.created': 'User';
  'user.updated': 'User';
  'user.payment_account_linked': 'User';
  'user.payment_account_changed': 'User';
  'user.ledger_linked': 'User';
  'wallet.proved': 'Wallet';
  'balance.credited': 'Balance';
  'balance.debited': 'Balance';
  'balance.reserved': 'Balance';
  'balance.released': 'Balance';
  'topup.created': 'TopUp';
  'topup.confirmation_required': 'TopUp';
  'topup.processing': 'TopUp';
  'topup.succeeded': 'TopUp';
  'topup.failed': 'TopUp';
  'topup.canceled': 'TopUp';
  'order.created': 'Order';
  'order.funds_reserved': 'Order';
  'order.escrow_creating': 'Order';
  'order.escrow_funding': 'Order';
  'order.escrow_funded': 'Order';
  'order.in_progress': 'Order';
  'order.release_requested': 'Order';
  'order.released': 'Order';
  'order.refund_requested': 'Order';
  'order.refunded': 'Order';
  'order.disputed': 'Order';
  'order.milestone_released': 'Order';
  'order.milestone_refunded': 'Order';
  'order.milestone_disputed': 'Order';
  'order.deadline_reminder': 'Order';
  'order.deadline_passed': 'Order';
  'order.closed': 'Order';
  'order.canceled': 'Order';
  'escrow.created': 'Escrow';
  'escrow.funding_started': 'Escrow';
  'escrow.funded': 'Escrow';
  'escrow.milestone_completed': 'Escrow';
  'escrow.released': 'Escrow';
  'escrow.refunded': 'Escrow';
  'dispute.opened': 'Dispute';
  'dispute.under_review': 'Dispute';
  'dispute.resolved': 'Dispute';
  'dispute.evidence_submitted': 'Dispute';
  'dispute.message': 'Dispute';
  'withdrawal.created': 'Withdrawal';
  'withdrawal.committed': 'Withdrawal';
  'withdrawal.pending': 'Withdrawal';
  'withdrawal.pending_user_action': 'Withdrawal';
  'withdrawal.completed': 'Withdrawal';
  'withdrawal.failed': 'Withdrawal';
  'withdrawal.canceled': 'Withdrawal';
  'approval.requested': 'Approval';
  'approval.approved': 'Approval';
  'approval.rejected': 'Approval';
  'approval.canceled': 'Approval';
  'approval.expired': 'Approval';
  'approval.failed': 'Approval';
  'correction.applied': 'Correction';
  'system.break_opened': 'System';
  'system.break_closed': 'System';
  'system.treasury_low': 'System';
  'system.treasury_recovered': 'System';
  'system.operation_stuck': 'System';
  'system.operation_recovered': 'System';
  'system.withdrawal_stuck': 'System';
  'system.withdrawal_recovered': 'System';
  'system.deadline_stuck': 'System';
  'system.deadline_recovered': 'System';
  'system.endpoint_disabled': 'System';
  'system.endpoint_enabled': 'System';
  'system.proof_failed': 'System';
  'system.proof_recovered': 'System';
  'system.backup_late': 'System';
  'system.backup_recovered': 'System';
  'system.approval_waiting': 'System';
  'system.approval_decided': 'System';
};

export type EventMetadata = {
  /** Request id of the call that caused the event. */
  correlationId?: string;
  /** Id of the command that caused the event. */
  causationId?: string;
  userId?: string;
  marketplaceId?: string;
  /** The platform's fee of a settlement; an amount. */
  platformFeeAmount?: string;
  /**
   * Gapless within a marketplace. A stream leaves out the positions of events that it does not carry: those outside its
   * filter, and `system.*` where no filter names them.
   */
  position?: number;
  [other: string]: unknown;
};

export const EVENT_TYPES = [
  'user.created',
  'user.updated',
  'user.payment_account_linked',
  'user.payment_account_changed',
  'user.ledger_linked',
  'wallet.proved',
  'balance.credited',
  'balance.debited',
  'balance.reserved',
  'balance.released',
  'topup.created',
  'topup.confirmation_required',
  'topup.processing',
  'topup.succeeded',
  'topup.failed',
  'topup.canceled',
  'order.created',
  'order.funds_reserved',
  'order.escrow_creating',
  'order.escrow_funding',
  'order.escrow_funded',
  'order.in_progress',
  'order.release_requested',
  'order.released',
  'order.refund_requested',
  'order.refunded',
  'order.disputed',
  'order.milestone_released',
  'order.milestone_refunded',
  'order.milestone_disputed',
  'order.deadline_reminder',
  'order.deadline_passed',
  'order.closed',
  'order.canceled',
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'dispute.opened',
  'dispute.under_review',
  'dispute.resolved',
  'dispute.evidence_submitted',
  'dispute.message',
  'withdrawal.created',
  'withdrawal.committed',
  'withdrawal.pending',
  'withdrawal.pending_user_action',
  'withdrawal.completed',
  'withdrawal.failed',
  'withdrawal.canceled',
  'approval.requested',
  'approval.approved',
  'approval.rejected',
  'approval.canceled',
  'approval.expired',
  'approval.failed',
  'correction.applied',
  'system.break_opened',
  'system.break_closed',
  'system.treasury_low',
  'system.treasury_recovered',
  'system.operation_stuck',
  'system.operation_recovered',
  'system.withdrawal_stuck',
  'system.withdrawal_recovered',
  'system.deadline_stuck',
  'system.deadline_recovered',
  'system.endpoint_disabled',
  'system.endpoint_enabled',
  'system.proof_failed',
  'system.proof_recovered',
  'system.backup_late',
  'system.backup_recovered',
  'system.approval_waiting',
  'system.approval_decided',
] as const satisfies readonly (keyof EventPayloads)[];

export type Resource = 'User' | 'Wallet' | 'Balance' | 'TopUp' | 'Withdrawal' | 'Order' | 'Escrow' | 'Dispute' | 'Approval' | 'Correction' | 'System';
