// What these routes take and give.
// Printed from contract/src/api/events.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type StreamEventsQuery = {
  /** Only these event types; repeat the parameter for several. Exact names, no wildcards. */
  types?: ('user.created' | 'user.payment_account_linked' | 'user.ledger_linked' | 'balance.credited' | 'balance.debited' | 'balance.reserved' | 'balance.released' | 'topup.created' | 'topup.confirmation_required' | 'topup.processing' | 'topup.succeeded' | 'topup.failed' | 'topup.canceled' | 'order.created' | 'order.funds_reserved' | 'order.escrow_creating' | 'order.escrow_funding' | 'order.escrow_funded' | 'order.in_progress' | 'order.release_requested' | 'order.released' | 'order.refund_requested' | 'order.refunded' | 'order.disputed' | 'order.closed' | 'order.canceled' | 'escrow.created' | 'escrow.funding_started' | 'escrow.funded' | 'escrow.milestone_completed' | 'escrow.released' | 'escrow.refunded' | 'dispute.opened' | 'dispute.under_review' | 'dispute.resolved' | 'withdrawal.created' | 'withdrawal.committed' | 'withdrawal.pending' | 'withdrawal.pending_user_action' | 'withdrawal.completed' | 'withdrawal.failed' | 'withdrawal.canceled')[];
  /** Only events of these resources; repeat the parameter for several. */
  resources?: ('User' | 'Balance' | 'TopUp' | 'Withdrawal' | 'Order' | 'Escrow' | 'Dispute')[];
  /** Replay events after this time. The header `Last-Event-ID` takes precedence. */
  since?: string;
};
