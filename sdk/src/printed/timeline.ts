// What these routes take and give.
// Printed from contract/src/api/timeline.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type Timeline = {
  /** The order. */
  orderId: string;
  /** Oldest first. */
  entries: TimelineEntry[];
  /** Whether only the oldest 500 entries are shown. */
  truncated: boolean;
  /**
   * Archived months in which older rows of this order are and whose files the server cannot read; those rows are not
   * among the entries. Put the files back into ARCHIVE_DIR.
   */
  archives: string[];
};

export type TimelineEntry = {
  /** When the entry happened. */
  at: string;
  /** Source of the entry. */
  kind: 'event' | 'posting' | 'ledger' | 'operation' | 'note' | 'evidence' | 'message' | 'audit';
  /** An event type, an audit action, or a sentence for people. */
  title: string;
  /**
   * Id of the event, the operation, the note, the evidence, the message or the audit entry, or the hash of the
   * transaction; null for a posting.
   */
  reference: string | null;
  /**
   * For an event: its payload. For a posting: `move, from, to, amount, currency`. For the ledger: `action, state,
   * contract, signer`. For an operation: `kind, state, attempts, problem`. For a note: `resourceType, resourceId,
   * author, text`. For evidence: the record without its content. For a message: `disputeId, from, author, text`. For
   * audit: `actorType, actorId, result`, and `actorName` where an operator or an API key acted.
   */
  details: Record<string, unknown>;
};
