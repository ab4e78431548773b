// What these routes take and give.
// Printed from contract/src/api/operations.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type OperationRecord = {
  /** Operation id. */
  id: string;
  /** Kind of the operation. */
  kind: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute';
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

export type ListOperationsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  state?: 'RUNNING' | 'DONE' | 'FAILED';
  /** Kind of the operation. */
  kind?: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute';
  /** Only operations for this order. */
  orderId?: string;
};
