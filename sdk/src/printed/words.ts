// Every state, kind and choice, as lists.
// Printed from contract/src/states.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export const APPROVAL_ACTIONS = [
  'balance.credit',
  'balance.debit',
  'order.release',
  'order.refund',
  'dispute.resolve',
  'withdrawal.commit',
  'correction',
  'approval-rules',
  'api-key.create',
] as const;

export const APPROVAL_STATUSES = [
  'PENDING',
  'APPROVING',
  'APPROVED',
  'REJECTED',
  'CANCELED',
  'EXPIRED',
  'FAILED',
] as const;

export const BREAK_KINDS = [
  'wallet-usdc',
  'wallet-xlm',
  'contract',
  'payment-float',
  'escrow-event',
  'deposit',
  'short-funding',
  'unexplained-payment',
  'lost-payout',
  'payout-amount',
  'late-topup',
] as const;

export const CORRECTION_KINDS = [
  'cancel-unfunded-order',
  'adopt-contract-state',
  'settle-short-funding',
  'credit-late-topup',
  'settle-payout',
  'close-break',
  'retry-operation',
  'abandon-operation',
] as const;

export const DEADLINE_KINDS = [
  'cancel_unfunded',
  'auto_release',
  'dispute_decision',
  'milestone_inspection',
  'reminder',
] as const;

export const DEADLINE_STATUSES = [
  'PENDING',
  'DONE',
  'CANCELED',
  'HELD',
] as const;

export const DESTINATION_TYPES = [
  'bank',
  'crypto',
  'payment_account',
] as const;

export const DISPUTE_DEADLINE_ACTIONS = [
  'RELEASE',
  'REFUND',
  'REMIND',
] as const;

export const DISPUTE_DECISIONS = [
  'FULL_RELEASE',
  'FULL_REFUND',
  'SPLIT',
] as const;

export const DISPUTE_OPENERS = [
  'BUYER',
  'SELLER',
] as const;

export const DISPUTE_PARTIES = [
  'BUYER',
  'SELLER',
  'OPERATOR',
] as const;

export const DISPUTE_REASONS = [
  'NOT_DELIVERED',
  'QUALITY_ISSUE',
  'OTHER',
] as const;

export const DISPUTE_STATUSES = [
  'OPEN',
  'UNDER_REVIEW',
  'RESOLVED',
] as const;

export const ESCROW_STATUSES = [
  'CREATING',
  'CREATED',
  'FUNDING',
  'FUNDED',
  'RELEASED',
  'REFUNDED',
  'DISPUTED',
] as const;

export const EVIDENCE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/heic',
  'application/pdf',
  'text/plain',
  'text/csv',
  'video/mp4',
  'audio/mpeg',
] as const;

export const FINAL_STATUSES = [
  'RELEASED',
  'REFUNDED',
  'SPLIT',
  'CANCELED',
] as const;

export const INSPECTION_ACTIONS = [
  'RELEASE',
  'REMIND',
] as const;

export const MEMO_TYPES = [
  'text',
  'id',
  'hash',
  'return',
] as const;

export const MILESTONE_STATUSES = [
  'OPEN',
  'COMPLETED',
  'DISPUTED',
  'RELEASED',
  'REFUNDED',
] as const;

export const NOTE_RESOURCES = [
  'order',
  'dispute',
  'user',
  'break',
  'withdrawal',
  'topup',
] as const;

export const OPERATION_KINDS = [
  'create-escrow',
  'fund-escrow',
  'release',
  'refund',
  'resolve-dispute',
  'release-milestone',
  'refund-milestone',
] as const;

export const OPERATION_STATES = [
  'RUNNING',
  'DONE',
  'FAILED',
] as const;

export const ORDER_STATUSES = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'RELEASED',
  'REFUND_REQUESTED',
  'REFUNDED',
  'DISPUTED',
  'CLOSED',
] as const;

export const POLICY_ACTIONS = [
  'release',
  'refund',
  'dispute',
  'complete_milestone',
  'cancel',
] as const;

export const POLICY_ROLES = [
  'buyer',
  'seller',
  'operator',
] as const;

export const PROJECT_STATUSES = [
  'open',
  'in_progress',
  'completed',
  'cancelled',
] as const;

export const STATEMENT_LINE_STATUSES = [
  'MATCHED',
  'AMOUNT_DIFFERS',
  'MISSING_HERE',
  'MISSING_THERE',
  'PENDING',
  'DUPLICATE',
  'AT_EDGE',
] as const;

export const STATEMENT_SYSTEMS = [
  'payment-provider',
  'ledger-network',
] as const;

export const SYSTEM_ALERT_KINDS = [
  'BREAK',
  'TREASURY_LOW',
  'OPERATION_STUCK',
  'WITHDRAWAL_STUCK',
  'DEADLINE_STUCK',
  'ENDPOINT_DISABLED',
  'PROOF_FAILED',
  'BACKUP_LATE',
  'APPROVAL_WAITING',
] as const;

export const SYSTEM_ALERT_STATUSES = [
  'OPEN',
  'CLOSED',
] as const;

export const TOPUP_STATUSES = [
  'TOPUP_CREATED',
  'TOPUP_AWAITING_USER_CONFIRMATION',
  'TOPUP_PROCESSING',
  'TOPUP_SUCCEEDED',
  'TOPUP_FAILED',
  'TOPUP_CANCELED',
] as const;

export const USER_STATUSES = [
  'ACTIVE',
  'SUSPENDED',
  'PENDING_VERIFICATION',
] as const;

export const USER_TYPES = [
  'BUYER',
  'SELLER',
  'BOTH',
] as const;

export const WITHDRAWAL_STATUSES = [
  'WITHDRAWAL_CREATED',
  'WITHDRAWAL_COMMITTED',
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_FAILED',
  'WITHDRAWAL_CANCELED',
] as const;

export const ESCROW_EVENT_TYPES = [
  'escrow.created',
  'escrow.funding_started',
  'escrow.funded',
  'escrow.milestone_completed',
  'escrow.released',
  'escrow.refunded',
  'escrow.disputed',
] as const;
