// A provider statement and its comparison, as the API shows them and as files.

import type { ReportFormat } from '@holdfast/contract/api/provider-statements.ts';
import { csvRow, plainText } from '../../base/csv.ts';
import type { Amount } from '../../books/money.ts';
import { presentExact } from '../../http/checked-values.ts';
import type { Compared } from './compare.ts';
import type { OurRecord } from './records.ts';
import { itemIdOf, type Report, totalsOf } from './report.ts';
import type { ProviderStatement } from './statement.ts';

export const presentStatement = (statement: ProviderStatement) => ({
  id: statement.id,
  system: statement.system,
  fileName: statement.fileName,
  sha256: statement.sha256,
  sizeBytes: statement.sizeBytes,
  lines: statement.lines,
  from: statement.fromAt,
  to: statement.toAt,
  toleranceMinutes: statement.toleranceMinutes,
  columns: statement.columns,
  author: statement.author,
  createdAt: statement.createdAt,
});

export const presentReport = ({ statement, items, isComplete }: Report, comparedAt: string) => ({
  ...presentStatement(statement),
  comparedAt,
  isComplete,
  totals: totalsOf(items).map((total) => ({ ...total, amount: presentExact(total.amount) })),
});

const exactOrNull = (amount: Amount | null): string | null => (amount === null ? null : presentExact(amount));

const presentRecord = ({ type, id, status, amount, fee, currency, at }: OurRecord) => ({
  type,
  id,
  status,
  amount: presentExact(amount),
  fee: exactOrNull(fee),
  currency,
  at,
});

export const presentItem = (item: Compared) => {
  const { line, record, status, difference, reason, suggestion } = item;
  const { currency, amount, at: date } = line ?? record!;
  return {
    id: itemIdOf(item),
    status,
    row: line?.number ?? null,
    date,
    reference: line ? line.reference : record!.outsideId,
    type: line?.type ?? null,
    description: line?.description ?? null,
    amount: presentExact(amount),
    fee: exactOrNull(line?.fee ?? null),
    currency,
    record: record && presentRecord(record),
    difference: exactOrNull(difference),
    reason,
    suggestion: suggestion && { type: suggestion.type, id: suggestion.id },
  };
};

type Shown = ReturnType<typeof presentItem>;

const COLUMNS: readonly (readonly [name: string, of: (item: Shown) => string | null])[] = [
  ['status', ({ status }) => status],
  ['row', ({ row }) => (row === null ? null : String(row))],
  ['date', ({ date }) => date],
  ['reference', ({ reference }) => plainText(reference)],
  ['type', ({ type }) => plainText(type)],
  ['amount', ({ amount }) => amount],
  ['fee', ({ fee }) => fee],
  ['currency', ({ currency }) => currency],
  ['recordType', ({ record }) => record?.type ?? null],
  ['recordId', ({ record }) => record?.id ?? null],
  ['recordStatus', ({ record }) => record?.status ?? null],
  ['recordAmount', ({ record }) => record?.amount ?? null],
  ['recordFee', ({ record }) => record?.fee ?? null],
  ['recordAt', ({ record }) => record?.at ?? null],
  ['difference', ({ difference }) => difference],
  ['reason', ({ reason }) => reason],
  ['suggestion', ({ suggestion }) => suggestion?.id ?? null],
  ['description', ({ description }) => plainText(description)],
];

type FileFormat = {
  readonly contentType: string;
  readonly head: string;
  line(item: Shown): string;
};

export const FILE_FORMATS: Readonly<Record<ReportFormat, FileFormat>> = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    head: csvRow(COLUMNS.map(([name]) => name)),
    line: (item) => csvRow(COLUMNS.map(([, of]) => of(item) ?? '')),
  },
  jsonl: {
    contentType: 'application/x-ndjson; charset=utf-8',
    head: '',
    line: (item) => `${JSON.stringify(item)}\n`,
  },
};
