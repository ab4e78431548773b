// What these routes take and give.
// Printed from contract/src/api/operations.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type OperationRecord = {
  /** Operation id. */
  id: string;
  /** Kind of the operation. */
  kind: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute' | 'release-milestone' | 'refund-milestone';
  state: 'RUNNING' | 'DONE' | 'FAILED';
  /** The order of the operation. */
  orderId: string;
  /** How often the operation was retried because an outside system did not answer. */
  attempts: number;
  /** When the operation was requested. */
  startedAt: string;
  /** Earliest time of the next automatic attempt; null once the operation has ended. */
  nextAttemptAt: string | null;
  /** Why the last attempt was postponed, or why the operation failed. */
  lastProblem: string | null;
  /** When the operation ended; null while it is RUNNING. */
  endedAt: string | null;
};

export type SystemAlert = {
  /** Alert id. */
  id: string;
  /**
   * The condition: an open break, a treasury with too little money, an operation or a withdrawal that does not end, a
   * webhook endpoint that was disabled because it failed, a proof that does not hold, or a backup that is too old.
   */
  kind: 'BREAK' | 'TREASURY_LOW' | 'OPERATION_STUCK' | 'WITHDRAWAL_STUCK' | 'DEADLINE_STUCK' | 'ENDPOINT_DISABLED' | 'PROOF_FAILED' | 'BACKUP_LATE' | 'APPROVAL_WAITING';
  /** CLOSED once the condition has ended. */
  status: 'OPEN' | 'CLOSED';
  /**
   * What it is about: the kind and the subject of the break, the asset of the treasury, the order of the operation, the
   * withdrawal, the webhook endpoint, the marketplace of the proof, or `backup`.
   */
  subject: string;
  /** What has happened and what to do next, in a sentence. */
  message: string;
  /** When the condition began, as far as it is known. */
  since: string;
  /** When the alert was opened. */
  openedAt: string;
  /** When the condition had ended. */
  closedAt: string | null;
};

export type ListAlertsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** CLOSED once the condition has ended. */
  status?: 'OPEN' | 'CLOSED';
  /**
   * The condition: an open break, a treasury with too little money, an operation or a withdrawal that does not end, a
   * webhook endpoint that was disabled because it failed, a proof that does not hold, or a backup that is too old.
   */
  kind?: 'BREAK' | 'TREASURY_LOW' | 'OPERATION_STUCK' | 'WITHDRAWAL_STUCK' | 'DEADLINE_STUCK' | 'ENDPOINT_DISABLED' | 'PROOF_FAILED' | 'BACKUP_LATE' | 'APPROVAL_WAITING';
};

export type ListOperationsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
  state?: 'RUNNING' | 'DONE' | 'FAILED';
  /** Kind of the operation. */
  kind?: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute' | 'release-milestone' | 'refund-milestone';
  /** Only operations for this order. */
  orderId?: string;
};
