// What these routes take and give.
// Printed from contract/src/api/exports.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type ExportJournalQuery = {
  /** Format of the file. */
  format?: 'csv' | 'jsonl' | 'hledger' | 'beancount';
  /** Beginning of the range, inclusive; a date without a time means 00:00 UTC. */
  from?: string;
  /** End of the range, exclusive; not in the future. */
  to?: string;
  /** Leaves out this many bytes at the beginning of the file. Needs `to`. */
  offset?: number;
};
