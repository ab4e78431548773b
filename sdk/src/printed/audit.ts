// What these routes take and give.
// Printed from contract/src/api/audit.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type AuditEntry = {
  id: string;
  /** When the action happened. */
  occurredAt: string;
  action: 'API_KEY_CREATED' | 'API_KEY_REVOKED' | 'API_KEY_ROTATED' | 'API_TOKEN_ISSUED' | 'MARKETPLACE_LIMITS_SET' | 'USER_CREATED' | 'USER_UPDATED' | 'USER_REGISTERED' | 'USER_PAYMENT_ACCOUNT_LINKED' | 'USER_PAYMENT_ACCOUNT_CHANGED' | 'USER_SUSPENDED' | 'USER_REACTIVATED' | 'BALANCE_CREDITED' | 'BALANCE_DEBITED' | 'BALANCE_RESERVED' | 'BALANCE_RELEASED' | 'RESERVATION_CANCELED' | 'RESERVED_DEDUCTED' | 'BALANCE_SYNCED' | 'WALLET_CREATED' | 'WALLET_LINKED' | 'WALLET_PROVED' | 'WALLET_ACTIVATION_REQUESTED' | 'WALLET_ACTIVATION_COUNTED' | 'WALLET_ACTIVATED' | 'WALLET_KEY_ROTATED' | 'WALLET_KEY_ANNOUNCED' | 'WALLET_KEY_CHANGED' | 'WALLET_KEYS_RESEALED' | 'LEDGER_TRANSACTION_SIGNED' | 'LEDGER_TRANSACTION_ADOPTED' | 'PAYMENTS_HELD' | 'PAYMENTS_COMPARED' | 'LEDGER_TRANSACTION_BUMPED' | 'PAYMENTS_RELEASED' | 'LEDGER_TRANSACTION_SETTLED' | 'TREASURY_PAYMENT_REQUESTED' | 'DEPOSIT_RECORDED' | 'ORDER_CREATED' | 'ORDER_FUNDS_RESERVED' | 'ORDER_CANCELED' | 'RECEIPT_LINK_CREATED' | 'RECEIPT_LINK_REVOKED' | 'MILESTONE_COMPLETED' | 'MILESTONE_RELEASE_REQUESTED' | 'MILESTONE_RELEASED' | 'MILESTONE_RELEASE_FAILED' | 'MILESTONE_REFUND_REQUESTED' | 'MILESTONE_REFUNDED' | 'MILESTONE_REFUND_FAILED' | 'ESCROW_CREATE_REQUESTED' | 'ESCROW_CREATED' | 'ESCROW_CREATE_FAILED' | 'ESCROW_FUNDING_REQUESTED' | 'ESCROW_FUNDED' | 'ESCROW_FUNDING_FAILED' | 'RELEASE_REQUESTED' | 'ORDER_RELEASED' | 'RELEASE_FAILED' | 'REFUND_REQUESTED' | 'ORDER_REFUNDED' | 'REFUND_FAILED' | 'DISPUTE_OPENED' | 'DISPUTE_ASSIGNED' | 'DISPUTE_RESOLUTION_REQUESTED' | 'DISPUTE_RESOLVED' | 'DISPUTE_RESOLUTION_FAILED' | 'OPERATION_POSTPONED' | 'JOB_RETRIED' | 'ESCROW_STEP_SEEN' | 'TOPUP_CREATED' | 'TOPUP_CONFIRMATION_REQUIRED' | 'TOPUP_PROCESSING' | 'TOPUP_SUCCEEDED' | 'TOPUP_FAILED' | 'TOPUP_CANCEL_REQUESTED' | 'TOPUP_CANCELED' | 'TOPUP_FEE_NOTED' | 'TOPUP_PAID_LATE' | 'TOPUP_CORRECTED' | 'FLOAT_ADOPTED' | 'FLOAT_GIVEN' | 'FLOAT_RECEIVED' | 'FLOAT_ARRIVED' | 'CREDIT_LINE_SET' | 'PROVIDER_ACCOUNT_CLAIMED' | 'PROVIDER_CREDENTIALS_SET' | 'PROVIDER_CREDENTIALS_REMOVED' | 'PROVIDER_CREDENTIALS_RESEALED' | 'WITHDRAWAL_CREATED' | 'WITHDRAWAL_COMMITTED' | 'WITHDRAWAL_PAYOUT_MADE' | 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION' | 'WITHDRAWAL_PART_PAID' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_CALLED_OFF' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_CANCELED' | 'WEBHOOK_TAKEN' | 'WEBHOOK_FAILED' | 'WEBHOOK_KEPT' | 'WEBHOOK_SET_ASIDE' | 'WEBHOOK_ENDPOINT_CREATED' | 'WEBHOOK_ENDPOINT_CHANGED' | 'WEBHOOK_ENDPOINT_DELETED' | 'WEBHOOK_ENDPOINT_DISABLED' | 'WEBHOOK_SECRET_ROTATED' | 'WEBHOOK_SECRET_RESEALED' | 'WEBHOOK_REPLAY_REQUESTED' | 'WEBHOOK_RETRY_REQUESTED' | 'WEBHOOK_TEST_REQUESTED' | 'POLICY_CREATED' | 'OPERATOR_EMAIL_CLAIMED' | 'OPERATOR_CREATED' | 'OPERATOR_CHANGED' | 'OPERATOR_INVITED' | 'OPERATOR_JOINED' | 'OPERATOR_DELETED' | 'OPERATOR_SIGNED_IN' | 'OPERATOR_SIGNED_OUT' | 'OPERATOR_SESSION_REVOKED' | 'OPERATOR_PASSKEY_ADDED' | 'OPERATOR_PASSKEY_REMOVED' | 'OPERATOR_SECRET_RESEALED' | 'DEADLINE_PASSED' | 'DEADLINE_REMINDED' | 'DEADLINE_REFUSED' | 'DEADLINE_HELD' | 'DEADLINE_RESUMED' | 'DEADLINE_EXTENDED' | 'DEADLINE_RESTORED' | 'APPROVAL_RULES_SET' | 'APPROVAL_REQUESTED' | 'APPROVAL_GRANTED' | 'APPROVAL_BEGUN' | 'APPROVAL_CARRIED_OUT' | 'APPROVAL_REJECTED' | 'APPROVAL_CANCELED' | 'APPROVAL_EXPIRED' | 'APPROVAL_FAILED' | 'CLOSING_SEALED' | 'CORRECTION_APPLIED' | 'ORDER_REOPENED' | 'ESCROW_UNFUNDED' | 'NOTE_ADDED' | 'EVIDENCE_SUBMITTED' | 'DISPUTE_MESSAGE_SENT' | 'PROVIDER_STATEMENT_ADDED' | 'ALERT_OPENED' | 'ALERT_CLOSED' | 'ALERT_MAILED' | 'PROJECT_CREATED' | 'PROJECT_ESCROW_REQUESTED' | 'PROJECT_ESCROW_LEFT' | 'PROJECT_ESCROW_ANSWERED' | 'PROJECT_ESCROW_CALLED_OFF' | 'ARCHIVE_SEALED' | 'ARCHIVE_REMOVED' | 'ARCHIVE_RESTORING' | 'ARCHIVE_RESTORED';
  resourceType: 'ApiKey' | 'Marketplace' | 'User' | 'Balance' | 'Wallet' | 'WalletKey' | 'LedgerTransaction' | 'TreasuryPayment' | 'Order' | 'Escrow' | 'Dispute' | 'Operation' | 'Job' | 'TopUp' | 'PaymentFloat' | 'PaymentHold' | 'ProviderCredentials' | 'Withdrawal' | 'WebhookEvent' | 'WebhookEndpoint' | 'Policy' | 'Operator' | 'OperatorSession' | 'Approval' | 'Closing' | 'Correction' | 'Note' | 'Evidence' | 'DisputeMessage' | 'ProviderStatement' | 'Alert' | 'Project' | 'Archive';
  resourceId: string;
  payloadBefore: Record<string, unknown> | null;
  payloadAfter: Record<string, unknown> | null;
  /** master, api_key, operator, user (on Surface B) or system. */
  actorType: string;
  actorId: string;
  /** The name of the operator or of the API key, also of a revoked one. Only where one of them acted. */
  actorName?: string;
  result: 'SUCCESS' | 'FAILURE';
  /** Request id of the call. */
  correlationId: string;
  /** Gapless within the marketplace. */
  sequence: number;
  /** Covers this entry and the hash of the previous entry. */
  hash: string;
};

export type Proof = {
  /** True when every check holds. */
  holds: boolean;
  /** When the proof was computed. */
  checkedAt: string;
  /** The books and the audit chain as they were proved at one entry of the chain. */
  checkpoint: {
    /** Number of the checkpoint within the marketplace. */
    number: number;
    /** Sequence of the last audit entry that the checkpoint includes. */
    sequence: number;
    /** When the checkpoint was made. */
    madeAt: string;
  } | null;
  /** The last full proof that the service made on its schedule; null before the first. */
  lastFullProof: {
    /** When it was computed. */
    checkedAt: string;
    holds: boolean;
  } | null;
  currencies: {
    currency: string;
    /** Liabilities: what the service owes, seven decimal places. */
    claims: string;
    /** Assets: what the service holds, seven decimal places. */
    holdings: string;
    /** Manual adjustments by the operator, net, seven decimal places. */
    adjustments: string;
    /** Opening balances that users brought from another system, seven decimal places. */
    openingBalances: string;
    /** Claims minus holdings, adjustments and opening balances; zero when balanced. */
    difference: string;
  }[];
  checks: {
    name: string;
    holds: boolean;
    detail: string;
  }[];
  /**
   * Closed months whose rows are in files, oldest first. With `full=true` every file was read for this answer;
   * otherwise the result is that of the last verification which this server made or found.
   */
  archives: {
    /** The archived month, such as 2025-09. */
    period: string;
    /**
     * REMOVED: the rows are only in the files. SEALED and RESTORING: rows are being moved out of the database, or back.
     */
    state: 'SEALED' | 'REMOVED' | 'RESTORING';
    /** Folder of its files, within `ARCHIVE_DIR` of the server. */
    folder: string;
    /** Sequence of its first audit entry. */
    firstSequence: number;
    /** Sequence of its last audit entry. */
    lastSequence: number;
    /** SHA-256 of its `manifest.json`, which has the hash of each file. */
    manifestHash: string;
    /** When its files were last read completely; null: not yet. */
    checkedAt: string | null;
    /** Whether every file, hash and sum was right at that time; null: not verified yet. */
    holds: boolean | null;
    /** The file that is missing or differs. */
    file: string | null;
    /** What does not hold. */
    problem: string | null;
  }[];
};

export type GetProofQuery = {
  /** True: read everything from the beginning, and not only what came after the last checkpoint. */
  full?: boolean;
};

export type ListAuditEntriesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  resourceType?: 'ApiKey' | 'Marketplace' | 'User' | 'Balance' | 'Wallet' | 'WalletKey' | 'LedgerTransaction' | 'TreasuryPayment' | 'Order' | 'Escrow' | 'Dispute' | 'Operation' | 'Job' | 'TopUp' | 'PaymentFloat' | 'PaymentHold' | 'ProviderCredentials' | 'Withdrawal' | 'WebhookEvent' | 'WebhookEndpoint' | 'Policy' | 'Operator' | 'OperatorSession' | 'Approval' | 'Closing' | 'Correction' | 'Note' | 'Evidence' | 'DisputeMessage' | 'ProviderStatement' | 'Alert' | 'Project' | 'Archive';
  /** Only entries about this resource. */
  resourceId?: string;
  action?: 'API_KEY_CREATED' | 'API_KEY_REVOKED' | 'API_KEY_ROTATED' | 'API_TOKEN_ISSUED' | 'MARKETPLACE_LIMITS_SET' | 'USER_CREATED' | 'USER_UPDATED' | 'USER_REGISTERED' | 'USER_PAYMENT_ACCOUNT_LINKED' | 'USER_PAYMENT_ACCOUNT_CHANGED' | 'USER_SUSPENDED' | 'USER_REACTIVATED' | 'BALANCE_CREDITED' | 'BALANCE_DEBITED' | 'BALANCE_RESERVED' | 'BALANCE_RELEASED' | 'RESERVATION_CANCELED' | 'RESERVED_DEDUCTED' | 'BALANCE_SYNCED' | 'WALLET_CREATED' | 'WALLET_LINKED' | 'WALLET_PROVED' | 'WALLET_ACTIVATION_REQUESTED' | 'WALLET_ACTIVATION_COUNTED' | 'WALLET_ACTIVATED' | 'WALLET_KEY_ROTATED' | 'WALLET_KEY_ANNOUNCED' | 'WALLET_KEY_CHANGED' | 'WALLET_KEYS_RESEALED' | 'LEDGER_TRANSACTION_SIGNED' | 'LEDGER_TRANSACTION_ADOPTED' | 'PAYMENTS_HELD' | 'PAYMENTS_COMPARED' | 'LEDGER_TRANSACTION_BUMPED' | 'PAYMENTS_RELEASED' | 'LEDGER_TRANSACTION_SETTLED' | 'TREASURY_PAYMENT_REQUESTED' | 'DEPOSIT_RECORDED' | 'ORDER_CREATED' | 'ORDER_FUNDS_RESERVED' | 'ORDER_CANCELED' | 'RECEIPT_LINK_CREATED' | 'RECEIPT_LINK_REVOKED' | 'MILESTONE_COMPLETED' | 'MILESTONE_RELEASE_REQUESTED' | 'MILESTONE_RELEASED' | 'MILESTONE_RELEASE_FAILED' | 'MILESTONE_REFUND_REQUESTED' | 'MILESTONE_REFUNDED' | 'MILESTONE_REFUND_FAILED' | 'ESCROW_CREATE_REQUESTED' | 'ESCROW_CREATED' | 'ESCROW_CREATE_FAILED' | 'ESCROW_FUNDING_REQUESTED' | 'ESCROW_FUNDED' | 'ESCROW_FUNDING_FAILED' | 'RELEASE_REQUESTED' | 'ORDER_RELEASED' | 'RELEASE_FAILED' | 'REFUND_REQUESTED' | 'ORDER_REFUNDED' | 'REFUND_FAILED' | 'DISPUTE_OPENED' | 'DISPUTE_ASSIGNED' | 'DISPUTE_RESOLUTION_REQUESTED' | 'DISPUTE_RESOLVED' | 'DISPUTE_RESOLUTION_FAILED' | 'OPERATION_POSTPONED' | 'JOB_RETRIED' | 'ESCROW_STEP_SEEN' | 'TOPUP_CREATED' | 'TOPUP_CONFIRMATION_REQUIRED' | 'TOPUP_PROCESSING' | 'TOPUP_SUCCEEDED' | 'TOPUP_FAILED' | 'TOPUP_CANCEL_REQUESTED' | 'TOPUP_CANCELED' | 'TOPUP_FEE_NOTED' | 'TOPUP_PAID_LATE' | 'TOPUP_CORRECTED' | 'FLOAT_ADOPTED' | 'FLOAT_GIVEN' | 'FLOAT_RECEIVED' | 'FLOAT_ARRIVED' | 'CREDIT_LINE_SET' | 'PROVIDER_ACCOUNT_CLAIMED' | 'PROVIDER_CREDENTIALS_SET' | 'PROVIDER_CREDENTIALS_REMOVED' | 'PROVIDER_CREDENTIALS_RESEALED' | 'WITHDRAWAL_CREATED' | 'WITHDRAWAL_COMMITTED' | 'WITHDRAWAL_PAYOUT_MADE' | 'WITHDRAWAL_PENDING' | 'WITHDRAWAL_PENDING_USER_ACTION' | 'WITHDRAWAL_PART_PAID' | 'WITHDRAWAL_COMPLETED' | 'WITHDRAWAL_CALLED_OFF' | 'WITHDRAWAL_FAILED' | 'WITHDRAWAL_CANCELED' | 'WEBHOOK_TAKEN' | 'WEBHOOK_FAILED' | 'WEBHOOK_KEPT' | 'WEBHOOK_SET_ASIDE' | 'WEBHOOK_ENDPOINT_CREATED' | 'WEBHOOK_ENDPOINT_CHANGED' | 'WEBHOOK_ENDPOINT_DELETED' | 'WEBHOOK_ENDPOINT_DISABLED' | 'WEBHOOK_SECRET_ROTATED' | 'WEBHOOK_SECRET_RESEALED' | 'WEBHOOK_REPLAY_REQUESTED' | 'WEBHOOK_RETRY_REQUESTED' | 'WEBHOOK_TEST_REQUESTED' | 'POLICY_CREATED' | 'OPERATOR_EMAIL_CLAIMED' | 'OPERATOR_CREATED' | 'OPERATOR_CHANGED' | 'OPERATOR_INVITED' | 'OPERATOR_JOINED' | 'OPERATOR_DELETED' | 'OPERATOR_SIGNED_IN' | 'OPERATOR_SIGNED_OUT' | 'OPERATOR_SESSION_REVOKED' | 'OPERATOR_PASSKEY_ADDED' | 'OPERATOR_PASSKEY_REMOVED' | 'OPERATOR_SECRET_RESEALED' | 'DEADLINE_PASSED' | 'DEADLINE_REMINDED' | 'DEADLINE_REFUSED' | 'DEADLINE_HELD' | 'DEADLINE_RESUMED' | 'DEADLINE_EXTENDED' | 'DEADLINE_RESTORED' | 'APPROVAL_RULES_SET' | 'APPROVAL_REQUESTED' | 'APPROVAL_GRANTED' | 'APPROVAL_BEGUN' | 'APPROVAL_CARRIED_OUT' | 'APPROVAL_REJECTED' | 'APPROVAL_CANCELED' | 'APPROVAL_EXPIRED' | 'APPROVAL_FAILED' | 'CLOSING_SEALED' | 'CORRECTION_APPLIED' | 'ORDER_REOPENED' | 'ESCROW_UNFUNDED' | 'NOTE_ADDED' | 'EVIDENCE_SUBMITTED' | 'DISPUTE_MESSAGE_SENT' | 'PROVIDER_STATEMENT_ADDED' | 'ALERT_OPENED' | 'ALERT_CLOSED' | 'ALERT_MAILED' | 'PROJECT_CREATED' | 'PROJECT_ESCROW_REQUESTED' | 'PROJECT_ESCROW_LEFT' | 'PROJECT_ESCROW_ANSWERED' | 'PROJECT_ESCROW_CALLED_OFF' | 'ARCHIVE_SEALED' | 'ARCHIVE_REMOVED' | 'ARCHIVE_RESTORING' | 'ARCHIVE_RESTORED';
  /** Only entries that concern this user. */
  userId?: string;
  /** Only entries at or after this time. */
  from?: string;
  /** Only entries before this time. */
  to?: string;
};

export type VerifyAuditChainQuery = {
  /** True: read everything from the beginning, and not only what came after the last checkpoint. */
  full?: boolean;
};

export type VerifyAuditChainResult = {
  /** True when every hash is right, and with `full=true` every archive holds. */
  holds: boolean;
  /** Number of entries that were checked. */
  entries: number;
  lastHash: string;
  /** Sequence of the first entry in the database whose hash does not match. */
  brokenAt: number | null;
  /** The books and the audit chain as they were proved at one entry of the chain. */
  checkpoint: {
    /** Number of the checkpoint within the marketplace. */
    number: number;
    /** Sequence of the last audit entry that the checkpoint includes. */
    sequence: number;
    /** When the checkpoint was made. */
    madeAt: string;
  } | null;
  /**
   * Closed months whose rows are in files, oldest first. With `full=true` every file was read for this answer;
   * otherwise the result is that of the last verification which this server made or found.
   */
  archives: {
    /** The archived month, such as 2025-09. */
    period: string;
    /**
     * REMOVED: the rows are only in the files. SEALED and RESTORING: rows are being moved out of the database, or back.
     */
    state: 'SEALED' | 'REMOVED' | 'RESTORING';
    /** Folder of its files, within `ARCHIVE_DIR` of the server. */
    folder: string;
    /** Sequence of its first audit entry. */
    firstSequence: number;
    /** Sequence of its last audit entry. */
    lastSequence: number;
    /** SHA-256 of its `manifest.json`, which has the hash of each file. */
    manifestHash: string;
    /** When its files were last read completely; null: not yet. */
    checkedAt: string | null;
    /** Whether every file, hash and sum was right at that time; null: not verified yet. */
    holds: boolean | null;
    /** The file that is missing or differs. */
    file: string | null;
    /** What does not hold. */
    problem: string | null;
  }[];
};
