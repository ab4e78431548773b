// What these routes take and give.
// Printed from contract/src/api/provider-statements.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';
import type { Author } from './notes.ts';

export type ProviderStatement = {
  /** Statement id. */
  id: string;
  /**
   * `payment-provider`: compared with top-ups and with withdrawals that the payment provider pays. `ledger-network`:
   * compared with deposits and with withdrawals over the ledger.
   */
  system: 'payment-provider' | 'ledger-network';
  /** As it was uploaded. */
  fileName: string;
  /** SHA-256 hash of the file, in hex. The audit entry has the same hash. */
  sha256: string;
  /** Size of the file. */
  sizeBytes: number;
  /** Lines of the file without its header. */
  lines: number;
  /** Beginning of the range, inclusive. */
  from: string;
  /** End of the range, exclusive. */
  to: string;
  /** The tolerance at the edges of the range. */
  toleranceMinutes: number;
  /** The column of the file that each field was read from. */
  columns: Record<string, string>;
  author: Author;
  /** When it was uploaded. */
  createdAt: string;
};

export type ProviderStatementLine = {
  /** Names the line in this report. */
  id: string;
  /**
   * `MATCHED`: both have it with the same amount. `AMOUNT_DIFFERS`: both have it, with another amount, fee or currency.
   * `MISSING_HERE`: only the file has it as paid. `MISSING_THERE`: only our records have it. `PENDING`: our record is
   * not finished, so nothing is known yet. `DUPLICATE`: an earlier line of the file is about the same payment.
   * `AT_EDGE`: only our records have it, so close to the beginning or the end of the range that the outside system may
   * count it in the statement before or after.
   */
  status: 'MATCHED' | 'AMOUNT_DIFFERS' | 'MISSING_HERE' | 'MISSING_THERE' | 'PENDING' | 'DUPLICATE' | 'AT_EDGE';
  /** Row of the file; the header is row 1. Null: only our records have it. */
  row: number | null;
  /** Of the line; of our record where there is no line. */
  date: string;
  /** As in the file; of our record where there is no line. */
  reference: string | null;
  /** As in the file. */
  type: string | null;
  /** As in the file. */
  description: string | null;
  /**
   * Of the line, with its sign; of our record where there is no line. Decimal string with two decimal places, or more
   * when needed.
   */
  amount: Amount;
  /** Of the line. Decimal string with two decimal places, or more when needed. */
  fee: Amount | null;
  /** Currency code. */
  currency: string;
  record: {
    /** Kind of our record. */
    type: 'topup' | 'withdrawal' | 'deposit';
    /** Its id. */
    id: string;
    /** Its state. */
    status: string;
    /** Its amount. Decimal string with two decimal places, or more when needed. */
    amount: Amount;
    /** The fee that the provider has reported for it. Decimal string with two decimal places, or more when needed. */
    fee: Amount | null;
    /** Currency code. */
    currency: CurrencyCode;
    /** When it was settled; of an unfinished one, when it began. */
    at: string;
  } | null;
  /**
   * The amount of the file minus ours, where they differ. Decimal string with two decimal places, or more when needed.
   */
  difference: Amount | null;
  /** Why the line has its status. */
  reason: string | null;
  /**
   * A record of ours with the same amount, at nearly the same time, that the file does not name. A person has to decide
   * whether it is the same payment.
   */
  suggestion: {
    /** Kind of our record. */
    type: 'topup' | 'withdrawal' | 'deposit';
    /** Its id. */
    id: string;
  } | null;
};

export type ProviderStatementReport = {
  /** Statement id. */
  id: string;
  /**
   * `payment-provider`: compared with top-ups and with withdrawals that the payment provider pays. `ledger-network`:
   * compared with deposits and with withdrawals over the ledger.
   */
  system: 'payment-provider' | 'ledger-network';
  /** As it was uploaded. */
  fileName: string;
  /** SHA-256 hash of the file, in hex. The audit entry has the same hash. */
  sha256: string;
  /** Size of the file. */
  sizeBytes: number;
  /** Lines of the file without its header. */
  lines: number;
  /** Beginning of the range, inclusive. */
  from: string;
  /** End of the range, exclusive. */
  to: string;
  /** The tolerance at the edges of the range. */
  toleranceMinutes: number;
  /** The column of the file that each field was read from. */
  columns: Record<string, string>;
  author: Author;
  /** When it was uploaded. */
  createdAt: string;
  /** When it was compared with our records: now. */
  comparedAt: string;
  /**
   * False: the range has more than 20000 records of ours, and only the first ones were looked for in the file. Upload
   * statements of shorter ranges.
   */
  isComplete: boolean;
  /** By currency and status. Combinations without an entry have none. */
  totals: {
    /** Currency code. */
    currency: string;
    /**
     * `MATCHED`: both have it with the same amount. `AMOUNT_DIFFERS`: both have it, with another amount, fee or
     * currency. `MISSING_HERE`: only the file has it as paid. `MISSING_THERE`: only our records have it. `PENDING`: our
     * record is not finished, so nothing is known yet. `DUPLICATE`: an earlier line of the file is about the same
     * payment. `AT_EDGE`: only our records have it, so close to the beginning or the end of the range that the outside
     * system may count it in the statement before or after.
     */
    status: 'MATCHED' | 'AMOUNT_DIFFERS' | 'MISSING_HERE' | 'MISSING_THERE' | 'PENDING' | 'DUPLICATE' | 'AT_EDGE';
    /** Lines of the file and records of ours. */
    count: number;
    /** Sum of their amounts without signs. Decimal string with two decimal places, or more when needed. */
    amount: Amount;
  }[];
};

export type AddProviderStatementInput = {
  /**
   * `payment-provider`: compared with top-ups and with withdrawals that the payment provider pays. `ledger-network`:
   * compared with deposits and with withdrawals over the ledger.
   */
  system: 'payment-provider' | 'ledger-network';
  /** Name of the file, without a folder, and without characters that control or change the direction of text. */
  fileName: string;
  /** The file in base64. */
  content: string;
  /** Beginning of the range that the statement covers, inclusive; a date means 00:00 UTC. */
  from: string;
  /** End of the range, exclusive and not in the future; at most 366 days after its beginning. */
  to: string;
  /**
   * Which columns of the file to read, by the names in its first row. Without an entry the column has the name of the
   * field: `date`, `reference`, `amount`, `currency`, `type`, `fee`, `description`. Only the first three are needed.
   */
  columns?: {
    /** Name of the column with the date or the time. */
    date?: string;
    /** Name of the column with the id of the payment, our own id, or the hash of the transaction. */
    reference?: string;
    /** Name of the column with the amount. */
    amount?: string;
    /** Name of the column with the currency. */
    currency?: string;
    /** Name of the column with the kind of the line; `fee` is a line about the fee of a payment. */
    type?: string;
    /** Name of the column with the fee of the payment. */
    fee?: string;
    /** Name of the column with a text. */
    description?: string;
  };
  /** Currency code. */
  currency?: CurrencyCode;
  /**
   * Records of ours that are this close to the beginning or the end of the range, and are not in the file, are
   * `AT_EDGE` and not `MISSING_THERE`, because the clocks and the time zones of the two systems differ.
   */
  toleranceMinutes?: number;
};

export type ExportProviderStatementQuery = {
  /** Format of the file. */
  format?: 'csv' | 'jsonl';
  /**
   * `MATCHED`: both have it with the same amount. `AMOUNT_DIFFERS`: both have it, with another amount, fee or currency.
   * `MISSING_HERE`: only the file has it as paid. `MISSING_THERE`: only our records have it. `PENDING`: our record is
   * not finished, so nothing is known yet. `DUPLICATE`: an earlier line of the file is about the same payment.
   * `AT_EDGE`: only our records have it, so close to the beginning or the end of the range that the outside system may
   * count it in the statement before or after.
   */
  status?: 'MATCHED' | 'AMOUNT_DIFFERS' | 'MISSING_HERE' | 'MISSING_THERE' | 'PENDING' | 'DUPLICATE' | 'AT_EDGE';
};

export type ListProviderStatementLinesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /**
   * `MATCHED`: both have it with the same amount. `AMOUNT_DIFFERS`: both have it, with another amount, fee or currency.
   * `MISSING_HERE`: only the file has it as paid. `MISSING_THERE`: only our records have it. `PENDING`: our record is
   * not finished, so nothing is known yet. `DUPLICATE`: an earlier line of the file is about the same payment.
   * `AT_EDGE`: only our records have it, so close to the beginning or the end of the range that the outside system may
   * count it in the statement before or after.
   */
  status?: 'MATCHED' | 'AMOUNT_DIFFERS' | 'MISSING_HERE' | 'MISSING_THERE' | 'PENDING' | 'DUPLICATE' | 'AT_EDGE';
};

export type ListProviderStatementsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /**
   * `payment-provider`: compared with top-ups and with withdrawals that the payment provider pays. `ledger-network`:
   * compared with deposits and with withdrawals over the ledger.
   */
  system?: 'payment-provider' | 'ledger-network';
};
