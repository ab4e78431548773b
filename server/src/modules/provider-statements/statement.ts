// Statements of outside systems: a record for each file, its lines, and how many there are. None of them but the counts ever changes.

import type { StatementSystem } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import { table } from '../../commit/tables.ts';
import type { Author } from '../notes/note.ts';

/** The column of the file that each field is read from. */
export type Columns = Readonly<Record<string, string>>;

export type ProviderStatement = {
  readonly id: string;
  readonly system: StatementSystem;
  readonly fileName: string;
  readonly sha256: string;
  /** Of the file and of how it is read: the same request is stored once. */
  readonly requestHash: string;
  readonly sizeBytes: number;
  readonly lines: number;
  readonly fromAt: string;
  readonly toAt: string;
  readonly toleranceMinutes: number;
  readonly columns: Columns;
  readonly author: Author;
  readonly createdAt: string;
};

/** A line as the file has it. */
export type FileLine = {
  /** The row of the file; the header is row 1. */
  readonly number: number;
  readonly at: string;
  readonly reference: string | null;
  /** Payouts may be negative. */
  readonly amount: Amount;
  readonly currency: string;
  readonly type: string | null;
  readonly fee: Amount | null;
  readonly description: string | null;
};

type StoredLine = FileLine & { readonly id: string; readonly statementId: string };

type StatementCount = {
  /** MARKETPLACE_COUNT. */
  readonly id: string;
  readonly statements: number;
  readonly lines: number;
  readonly updatedAt: string;
};

/** The ledger's asset is booked in the base currency, and the payment provider settles in the currency that the asset follows. */
export const settledCurrency = (currency: string): string => (currency === 'USDC' ? 'USD' : currency);

declare module '../../commit/tables.ts' {
  interface Tables {
    providerStatements: ProviderStatement;
    providerStatementLines: StoredLine;
    providerStatementCounts: StatementCount;
  }
  interface Lookups {
    providerStatements: { requestHash: string };
    providerStatementLines: Record<never, string>;
    providerStatementCounts: Record<never, string>;
  }
}

export const PROVIDER_STATEMENTS = table('providerStatements', {
  notFound: 'PROVIDER_STATEMENT_NOT_FOUND',
  sql: 'provider_statements',
  columns: [
    'id',
    'system',
    'fileName',
    'sha256',
    'requestHash',
    'sizeBytes',
    'lines',
    'fromAt',
    'toAt',
    'toleranceMinutes',
    'columns',
    'author',
    'createdAt',
  ],
  lookups: { requestHash: { sql: 't.request_hash', value: (row) => row.requestHash } },
});

export const PROVIDER_STATEMENT_LINES = table('providerStatementLines', {
  notFound: 'PROVIDER_STATEMENT_NOT_FOUND',
  sql: 'provider_statement_lines',
  columns: ['id', 'statementId', 'number', 'at', 'reference', 'amount', 'currency', 'type', 'fee', 'description'],
  lookups: {},
  isOnlyWritten: true,
});

export const PROVIDER_STATEMENT_COUNTS = table('providerStatementCounts', {
  notFound: 'INTERNAL_ERROR',
  sql: 'provider_statement_counts',
  columns: ['id', 'statements', 'lines', 'updatedAt'],
  lookups: {},
});

/** The id of the only count of a marketplace. */
export const MARKETPLACE_COUNT = 'marketplace';
