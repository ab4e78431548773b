// The report of a provider statement: its comparison with our records as they are now, the sums by status, and its pages. It only reads.

import { idPattern } from '@holdfast/contract/ids.ts';
import type { StatementLineStatus } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, magnitudeOf, plus, ZERO } from '../../books/money.ts';
import { type Compared, compare, referenceOf } from './compare.ts';
import type { StatementFileReads } from './queries.ts';
import type { RecordReads } from './records.ts';
import type { ProviderStatement } from './statement.ts';

export type Report = {
  readonly statement: ProviderStatement;
  readonly items: readonly Compared[];
  readonly isComplete: boolean;
};

type Parts = {
  readonly files: Pick<StatementFileReads, 'find' | 'lines'>;
  readonly records: RecordReads;
};

type Total = {
  readonly currency: string;
  readonly status: StatementLineStatus;
  readonly count: number;
  readonly amount: Amount;
};

export const createReports = ({ files, records }: Parts) => ({
  async read(marketplaceId: string, id: string): Promise<Report> {
    const statement = await files.find(marketplaceId, id);
    if (!statement) throw new DomainError('PROVIDER_STATEMENT_NOT_FOUND');
    const { system } = statement;
    const lines = await files.lines(marketplaceId, id);
    const references = [...new Set(lines.map(referenceOf).filter((name) => name !== null))];
    const named = await records.named({ marketplaceId, system, references });
    const { records: ofRange, isComplete } = await records.ofRange(marketplaceId, statement);
    return { statement, items: compare({ statement, lines, named, ofRange }), isComplete };
  },
});

export type Reports = ReturnType<typeof createReports>;

/** By currency and status, in the order in which they first appear. */
export const totalsOf = (items: readonly Compared[]): Total[] => {
  const totals = new Map<string, Total>();
  for (const { line, record, status } of items) {
    const { currency, amount } = line ?? record!;
    const key = `${currency} ${status}`;
    const before = totals.get(key) ?? { currency, status, count: 0, amount: ZERO };
    totals.set(key, { ...before, count: before.count + 1, amount: plus(before.amount, magnitudeOf(amount)) });
  }
  return [...totals.values()];
};

/** Names an item in its report: the row of the file, or the id of our record. */
export const itemIdOf = ({ line, record }: Compared): string => (line ? `row-${line.number}` : record!.id);

const ROW = /^row-(\d{1,6})$/;

/** Numbers of rows, which compare as text. */
const placeOf = (row: string): string => row.padStart(6, '0');

/** Whether the item comes after the one with this id. Items may have come or gone since the page before. */
export const isAfter =
  (cursor: string) =>
  ({ line, record }: Compared): boolean => {
    const row = ROW.exec(cursor)?.[1];
    if (line) return row !== undefined && placeOf(String(line.number)) > placeOf(row);
    return row !== undefined || record!.id > cursor;
  };

const OF_OURS = [idPattern('topup'), idPattern('withdrawal'), '^\\d{1,40}(-\\d{1,10})?$'].map(
  (text) => new RegExp(text),
);

export const isCursor = (text: string): boolean => ROW.test(text) || OF_OURS.some((pattern) => pattern.test(text));
