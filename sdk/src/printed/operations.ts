// What these routes take and give.
// Printed from contract/src/api/operations.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type OperationRecord = {
  /** Operation id. */
  id: string;
  /** What is being done. */
  kind: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute';
  state: 'RUNNING' | 'DONE' | 'FAILED';
  /** The order it is for. */
  orderId: string;
  /** How often it was put off because an outside system did not answer. */
  attempts: number;
  /** When it was asked for. */
  startedAt: string;
  /** Not tried again by itself before this; null once it has ended. */
  nextAttemptAt: string | null;
  /** Why it was put off last, or why it failed. */
  lastProblem: string | null;
  /** When it ended; null while it is RUNNING. */
  endedAt: string | null;
};

export type ListOperationsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  state?: 'RUNNING' | 'DONE' | 'FAILED';
  /** What is being done. */
  kind?: 'create-escrow' | 'fund-escrow' | 'release' | 'refund' | 'resolve-dispute';
  /** Only operations for this order. */
  orderId?: string;
};
