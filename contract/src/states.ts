// State names of the resources, as the wire shows them.

export const USER_STATUSES = ['ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION'] as const;

export type UserStatus = (typeof USER_STATUSES)[number];

export const USER_TYPES = ['BUYER', 'SELLER', 'BOTH'] as const;

export type UserType = (typeof USER_TYPES)[number];

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

export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** How a closed order ended. */
export const FINAL_STATUSES = ['RELEASED', 'REFUNDED', 'SPLIT', 'CANCELED'] as const;

export type FinalStatus = (typeof FINAL_STATUSES)[number];

export const ESCROW_STATUSES = [
  'CREATING',
  'CREATED',
  'FUNDING',
  'FUNDED',
  'RELEASED',
  'REFUNDED',
  'DISPUTED',
] as const;

export type EscrowStatus = (typeof ESCROW_STATUSES)[number];

/** The last three are of milestones that are disputed or paid on their own. */
export const MILESTONE_STATUSES = ['OPEN', 'COMPLETED', 'DISPUTED', 'RELEASED', 'REFUNDED'] as const;

export type MilestoneStatus = (typeof MILESTONE_STATUSES)[number];

export const DISPUTE_STATUSES = ['OPEN', 'UNDER_REVIEW', 'RESOLVED'] as const;

export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export const DISPUTE_OPENERS = ['BUYER', 'SELLER'] as const;

export type DisputeOpener = (typeof DISPUTE_OPENERS)[number];

export const DISPUTE_REASONS = ['NOT_DELIVERED', 'QUALITY_ISSUE', 'OTHER'] as const;

export type DisputeReason = (typeof DISPUTE_REASONS)[number];

export const DISPUTE_DECISIONS = ['FULL_RELEASE', 'FULL_REFUND', 'SPLIT'] as const;

export type DisputeDecision = (typeof DISPUTE_DECISIONS)[number];

/** The deadlines of an order that has a policy. A reminder belongs to one of the others. */
export const DEADLINE_KINDS = [
  'cancel_unfunded',
  'auto_release',
  'dispute_decision',
  'milestone_inspection',
  'reminder',
] as const;

export type DeadlineKind = (typeof DEADLINE_KINDS)[number];

export const DEADLINE_STATUSES = ['PENDING', 'DONE', 'CANCELED', 'HELD'] as const;

export type DeadlineStatus = (typeof DEADLINE_STATUSES)[number];

/** What a passed deadline of a dispute does. */
export const DISPUTE_DEADLINE_ACTIONS = ['RELEASE', 'REFUND', 'REMIND'] as const;

/** What the passed inspection of a milestone does. */
export const INSPECTION_ACTIONS = ['RELEASE', 'REMIND'] as const;

/** The actions that a policy can restrict. */
export const POLICY_ACTIONS = ['release', 'refund', 'dispute', 'complete_milestone', 'cancel'] as const;

/** Who acts on an order: a party through Surface B, or a caller with a key. */
export const POLICY_ROLES = ['buyer', 'seller', 'operator'] as const;

/** The kinds of operations that an order needs from the outside systems. */
export const OPERATION_KINDS = [
  'create-escrow',
  'fund-escrow',
  'release',
  'refund',
  'resolve-dispute',
  'release-milestone',
  'refund-milestone',
] as const;

export type OperationKind = (typeof OPERATION_KINDS)[number];

export const OPERATION_STATES = ['RUNNING', 'DONE', 'FAILED'] as const;

export type OperationState = (typeof OPERATION_STATES)[number];

export const TOPUP_STATUSES = [
  'TOPUP_CREATED',
  'TOPUP_AWAITING_USER_CONFIRMATION',
  'TOPUP_PROCESSING',
  'TOPUP_SUCCEEDED',
  'TOPUP_FAILED',
  'TOPUP_CANCELED',
] as const;

export type TopUpStatus = (typeof TOPUP_STATUSES)[number];

export const WITHDRAWAL_STATUSES = [
  'WITHDRAWAL_CREATED',
  'WITHDRAWAL_COMMITTED',
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
  'WITHDRAWAL_FAILED',
  'WITHDRAWAL_CANCELED',
] as const;

export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** The destination of a withdrawal: through the payment provider, or over the ledger. */
export const DESTINATION_TYPES = ['bank', 'crypto', 'payment_account'] as const;

export type DestinationType = (typeof DESTINATION_TYPES)[number];

/** The kinds of memo of a ledger payment. */
export const MEMO_TYPES = ['text', 'id', 'hash', 'return'] as const;

export type MemoType = (typeof MEMO_TYPES)[number];

/** The status of a Surface B project follows the order of its escrow. */
export const PROJECT_STATUSES = ['open', 'in_progress', 'completed', 'cancelled'] as const;

export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/** The kinds of differences between the books and the outside systems. */
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

export type BreakKind = (typeof BREAK_KINDS)[number];

/** The actions that a rule can make wait for the approval of another actor. */
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

export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number];

/** `APPROVING`: approved, and being carried out. */
export const APPROVAL_STATUSES = [
  'PENDING',
  'APPROVING',
  'APPROVED',
  'REJECTED',
  'CANCELED',
  'EXPIRED',
  'FAILED',
] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The ways out of states that no other route can leave. */
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

export type CorrectionKind = (typeof CORRECTION_KINDS)[number];

/** The records that a note can be about. */
export const NOTE_RESOURCES = ['order', 'dispute', 'user', 'break', 'withdrawal', 'topup'] as const;

export type NoteResource = (typeof NOTE_RESOURCES)[number];

/** Who submits evidence and sends messages about a dispute. */
export const DISPUTE_PARTIES = ['BUYER', 'SELLER', 'OPERATOR'] as const;

export type DisputeParty = (typeof DISPUTE_PARTIES)[number];

/** The content types that evidence keeps. Every other content is bytes. */
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

export type EvidenceType = (typeof EVIDENCE_TYPES)[number] | 'application/octet-stream';

/** The outside systems whose statements can be compared with our records. */
export const STATEMENT_SYSTEMS = ['payment-provider', 'ledger-network'] as const;

export type StatementSystem = (typeof STATEMENT_SYSTEMS)[number];

/** What the comparison of a provider statement with our records says about one line or one record. */
export const STATEMENT_LINE_STATUSES = [
  'MATCHED',
  'AMOUNT_DIFFERS',
  'MISSING_HERE',
  'MISSING_THERE',
  'PENDING',
  'DUPLICATE',
  'AT_EDGE',
] as const;

export type StatementLineStatus = (typeof STATEMENT_LINE_STATUSES)[number];

/** What a person is alerted about. */
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

export type SystemAlertKind = (typeof SYSTEM_ALERT_KINDS)[number];

export const SYSTEM_ALERT_STATUSES = ['OPEN', 'CLOSED'] as const;

export type SystemAlertStatus = (typeof SYSTEM_ALERT_STATUSES)[number];
