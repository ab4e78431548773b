// Statements of outside systems, uploaded as CSV, and their comparison with our records. The comparison is made anew for each request,
// so it sees records that arrived later.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { STATEMENT_LINE_STATUSES, STATEMENT_SYSTEMS } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, DateOrTime, Exact, Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';
import { Author } from './notes.ts';

/** The columns that every file has, and those that it may have. */
export const STATEMENT_COLUMNS = {
  needed: ['date', 'reference', 'amount'],
  optional: ['currency', 'type', 'fee', 'description'],
} as const;

export const TOLERANCE_MINUTES = 60;
const REPORT_FORMATS = ['csv', 'jsonl'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

const Status = Type.Enum(STATEMENT_LINE_STATUSES, {
  description: `\`MATCHED\`: both have it with the same amount. \`AMOUNT_DIFFERS\`: both have it, with another amount, fee or currency.
\`MISSING_HERE\`: only the file has it as paid. \`MISSING_THERE\`: only our records have it. \`PENDING\`: our record is not finished, so
nothing is known yet. \`DUPLICATE\`: an earlier line of the file is about the same payment. \`AT_EDGE\`: only our records have it, so
close to the beginning or the end of the range that the outside system may count it in the statement before or after.`,
  examples: ['MATCHED'],
});

const System = Type.Enum(STATEMENT_SYSTEMS, {
  description:
    '`payment-provider`: compared with top-ups and with withdrawals that the payment provider pays. `ledger-network`: compared with deposits and with withdrawals over the ledger.',
  examples: ['payment-provider'],
});

const Column = (what: string) => Type.Optional(Text(LIMITS.columnNameLength, `Name of the column with ${what}.`));

const Columns = Strict(
  {
    date: Column('the date or the time'),
    reference: Column('the id of the payment, our own id, or the hash of the transaction'),
    amount: Column('the amount'),
    currency: Column('the currency'),
    type: Column('the kind of the line; `fee` is a line about the fee of a payment'),
    fee: Column('the fee of the payment'),
    description: Column('a text'),
  },
  {
    description:
      'Which columns of the file to read, by the names in its first row. Without an entry the column has the name of the field: `date`, `reference`, `amount`, `currency`, `type`, `fee`, `description`. Only the first three are needed.',
    examples: [{ date: 'Settled at', reference: 'Payment id' }],
  },
);

const statement = {
  id: Id('providerStatement', 'Statement id.'),
  system: System,
  fileName: Type.String({ description: 'As it was uploaded.', examples: ['november.csv'] }),
  sha256: Type.String({ description: 'SHA-256 hash of the file, in hex. The audit entry has the same hash.' }),
  sizeBytes: Type.Integer({ description: 'Size of the file.', examples: [48213] }),
  lines: Type.Integer({ description: 'Lines of the file without its header.', examples: [412] }),
  from: Timestamp('Beginning of the range, inclusive.'),
  to: Timestamp('End of the range, exclusive.'),
  toleranceMinutes: Type.Integer({ description: 'The tolerance at the edges of the range.', examples: [60] }),
  columns: Type.Record(Type.String(), Type.String(), {
    description: 'The column of the file that each field was read from.',
    examples: [{ date: 'date', reference: 'Payment id', amount: 'amount' }],
  }),
  author: Author,
  createdAt: Timestamp('When it was uploaded.'),
};

export const ProviderStatement = Type.Object(statement);

export const ProviderStatementReport = Type.Object({
  ...statement,
  comparedAt: Timestamp('When it was compared with our records: now.'),
  isComplete: Type.Boolean({
    description: `False: the range has more than ${LIMITS.providerStatementRecords} records of ours, and only the first ones were looked for in the file. Upload statements of shorter ranges.`,
  }),
  totals: Type.Array(
    Type.Object({
      currency: Type.String({ description: 'Currency code.', examples: ['USD'] }),
      status: Status,
      count: Type.Integer({ description: 'Lines of the file and records of ours.', examples: [408] }),
      amount: Exact('Sum of their amounts without signs.'),
    }),
    { description: 'By currency and status. Combinations without an entry have none.' },
  ),
});

const RecordType = Type.Enum(['topup', 'withdrawal', 'deposit'] as const, { description: 'Kind of our record.' });

export const ProviderStatementLine = Type.Object({
  id: Type.String({ description: 'Names the line in this report.', examples: ['row-2'] }),
  status: Status,
  row: Nullable(Type.Integer({ description: 'Row of the file; the header is row 1. Null: only our records have it.' })),
  date: Timestamp('Of the line; of our record where there is no line.'),
  reference: Nullable(Type.String({ description: 'As in the file; of our record where there is no line.' })),
  type: Nullable(Type.String({ description: 'As in the file.' })),
  description: Nullable(Type.String({ description: 'As in the file.' })),
  amount: Exact('Of the line, with its sign; of our record where there is no line.'),
  fee: Nullable(Exact('Of the line.')),
  currency: Type.String({ description: 'Currency code.', examples: ['USD'] }),
  record: Nullable(
    Type.Object({
      type: RecordType,
      id: Type.String({ description: 'Its id.' }),
      status: Type.String({ description: 'Its state.', examples: ['TOPUP_SUCCEEDED'] }),
      amount: Exact('Its amount.'),
      fee: Nullable(Exact('The fee that the provider has reported for it.')),
      currency: CurrencyCode,
      at: Timestamp('When it was settled; of an unfinished one, when it began.'),
    }),
  ),
  difference: Nullable(Exact('The amount of the file minus ours, where they differ.')),
  reason: Nullable(Type.String({ description: 'Why the line has its status.' })),
  suggestion: Nullable(
    Type.Object(
      { type: RecordType, id: Type.String({ description: 'Its id.' }) },
      {
        description:
          'A record of ours with the same amount, at nearly the same time, that the file does not name. A person has to decide whether it is the same payment.',
      },
    ),
  ),
});

const common = { tag: 'Provider statements', wrapping: 'plain', data: ProviderStatement } as const;

// A malformed id is answered like an unknown id: 404 and not 400.
const params = Strict({ id: Type.String({ maxLength: 64, description: 'Statement id.' }) });

const StatusFilter = Type.Optional(Status);

export const addProviderStatement = endpoint({
  ...common,
  method: 'POST',
  path: '/provider-statements',
  access: 'write',
  moneyScope: 'treasury',
  summary: 'Upload a provider statement',
  description: `Stores the lines of a CSV file of an outside system, to compare them with our records. The file is UTF-8 with commas between
the columns, a header row, at most ${LIMITS.providerStatementBytes} bytes and at most ${LIMITS.providerStatementLines} lines. Dates are ISO 8601; without a
zone they are UTC. Amounts are decimals with a point and at most seven places, without separators of thousands; payouts may be negative.
A line whose type is \`fee\` is about the fee of the payment that its reference names.

When a row is wrong, the answer is 400 \`VALIDATION_ERROR\` with the rows and what is wrong with them, and nothing is stored. The same file
with the same system, range, tolerance and columns is stored once: the answer is then 200 with the statement that exists. A statement
never changes and is never deleted; at most ${LIMITS.providerStatements} for each marketplace, with ${LIMITS.providerStatementLinesAll} lines together.`,
  body: Strict({
    system: System,
    fileName: Text(
      LIMITS.fileNameLength,
      'Name of the file, without a folder, and without characters that control or change the direction of text.',
      'november.csv',
    ),
    content: Type.String({
      minLength: 1,
      maxLength: LIMITS.providerStatementContentLength,
      description: 'The file in base64.',
      examples: ['ZGF0ZSxyZWZlcmVuY2UsYW1vdW50LGN1cnJlbmN5CjIwMjYtMTEtMDIscGF5LTEsMjUuMDAsVVNECg=='],
    }),
    from: DateOrTime('Beginning of the range that the statement covers, inclusive; a date means 00:00 UTC.'),
    to: DateOrTime(
      `End of the range, exclusive and not in the future; at most ${LIMITS.providerStatementDays} days after its beginning.`,
    ),
    columns: Type.Optional(Columns),
    currency: Type.Optional(CurrencyCode),
    toleranceMinutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: LIMITS.providerStatementToleranceMinutes,
        default: TOLERANCE_MINUTES,
        description:
          'Records of ours that are this close to the beginning or the end of the range, and are not in the file, are `AT_EDGE` and not `MISSING_THERE`, because the clocks and the time zones of the two systems differ.',
      }),
    ),
  }),
  status: 201,
  otherStatus: 200,
  errors: ['PROVIDER_STATEMENT_LIMIT', 'SERVICE_UNAVAILABLE'],
  idempotent: true,
});

export const listProviderStatements = endpoint({
  ...common,
  method: 'GET',
  path: '/provider-statements',
  access: 'read',
  summary: 'List provider statements',
  description: 'Newest first, without the comparison.',
  query: Strict({ ...Page, system: Type.Optional(System) }),
  status: 200,
  wrapping: 'list',
  errors: [],
});

export const getProviderStatement = endpoint({
  ...common,
  method: 'GET',
  path: '/provider-statements/:id',
  access: 'read',
  heavy: true,
  summary: 'Compare a provider statement',
  description: `Compares the statement with our records as they are now. A line and a record match by the id of the payment at the outside
system, by our own id or by the hash of the transaction, and never by their amounts alone. USD and USDC count as the same currency.`,
  params,
  status: 200,
  data: ProviderStatementReport,
  errors: ['PROVIDER_STATEMENT_NOT_FOUND'],
});

export const listProviderStatementLines = endpoint({
  ...common,
  method: 'GET',
  path: '/provider-statements/:id/lines',
  access: 'read',
  heavy: true,
  summary: 'List compared lines',
  description: 'The lines of the file in their order, then the records of ours that the file does not have.',
  params,
  query: Strict({ ...Page, status: StatusFilter }),
  status: 200,
  wrapping: 'list',
  data: ProviderStatementLine,
  errors: ['PROVIDER_STATEMENT_NOT_FOUND'],
});

export const exportProviderStatement = endpoint({
  ...common,
  method: 'GET',
  path: '/provider-statements/:id/report',
  access: 'read',
  heavy: true,
  summary: 'Download a comparison',
  description: `All compared lines as one file: \`csv\`, or \`jsonl\` with one JSON object per line. A text cell of CSV that a spreadsheet
would take for a formula begins with an apostrophe.`,
  params,
  query: Strict({
    format: Type.Optional(Type.Enum(REPORT_FORMATS, { default: 'csv', description: 'Format of the file.' })),
    status: StatusFilter,
  }),
  status: 200,
  wrapping: 'raw',
  data: Type.String({ description: 'The file.' }),
  errors: ['PROVIDER_STATEMENT_NOT_FOUND'],
});
