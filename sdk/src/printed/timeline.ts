// What these routes take and give.
// Printed from contract/src/api/timeline.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type Timeline = {
  /** The order. */
  orderId: string;
  /** Oldest first. */
  entries: TimelineEntry[];
  /** Whether there are more than the 500 oldest, which are shown. */
  truncated: boolean;
};

export type TimelineEntry = {
  /** When it happened. */
  at: string;
  /** Which book it is from. */
  kind: 'event' | 'posting' | 'ledger' | 'operation' | 'audit';
  /** An event type, an audit action, or a sentence for people. */
  title: string;
  /** Id of the event, the operation or the audit entry, or the hash of the transaction; null for a posting. */
  reference: string | null;
  /**
   * Of an event its payload; of a posting `move, from, to, amount, currency`; of the ledger `action, state, contract,
   * signer`; of an operation `kind, state, attempts, problem`; of an audit entry `actorType, actorId, result`.
   */
  details: Record<string, unknown>;
};
