// A user's statement: the opening balance, every change, and the closing balance.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, DateOrTime, Exact, Id, Nullable, Strict, Text, Timestamp } from './fields.ts';

const STATEMENT_FORMATS = ['json', 'csv', 'html', 'pdf'] as const;

/** Where the money came from, or where it went. */
const COUNTERPARTIES = [
  'own_balance',
  'operator',
  'escrow',
  'platform',
  'ledger',
  'payment_provider',
  'network',
  'other',
] as const;

export type Counterparty = (typeof COUNTERPARTIES)[number];

export const STATEMENT_LINES = { usual: 200, max: 1_000 } as const;
/** Lines of a statement as HTML or PDF. A PDF of so many lines has about 2,000 pages. */
export const STATEMENT_DOCUMENT_LINES = 50_000;
export const STATEMENT_DAYS = { usual: 30, max: 366 } as const;

const Balances = Type.Object({
  available: Exact('Available balance.'),
  reserved: Exact('Reserved balance.'),
  total: Exact('Both.'),
});

export const StatementLine = Type.Object({
  time: Timestamp('When the change was booked.'),
  account: Type.Enum(['available', 'reserved'] as const, {
    description: 'The part of the balance that changed; a reservation is one line in each part.',
  }),
  move: Type.String({ description: 'Kind of the change.', examples: ['topup'] }),
  description: Nullable(
    Type.String({
      description: 'As it was sent with the change; `Milestone <ref>` where a milestone was paid on its own.',
    }),
  ),
  reference: Nullable(
    Type.String({ description: 'The order, top-up or withdrawal of the change, or your own reference.' }),
  ),
  counterparty: Type.Enum(COUNTERPARTIES, { description: 'Where the money came from, or where it went.' }),
  amount: Exact('Negative for money that left.'),
  balanceAfter: Exact('Balance of that part after the change.'),
});

export const Statement = Type.Object({
  userId: Id('user', 'The owner of the balance.'),
  currency: CurrencyCode,
  from: Timestamp('Beginning of the range, inclusive.'),
  to: Timestamp('End of the range, exclusive.'),
  opening: Balances,
  lines: Type.Array(StatementLine, { description: 'Oldest first.' }),
  closing: Balances,
  hasMore: Type.Boolean({ description: 'Whether the range has more lines than these.' }),
  nextCursor: Nullable(Type.String({ description: 'Send this value as `cursor` to get the next lines.' })),
});

export const getStatement = endpoint({
  method: 'GET',
  path: '/users/:id/statement',
  access: 'read',
  heavy: true,
  tag: 'Users',
  summary: 'Get statement',
  description: `Every change of one balance in a range of time, from the postings themselves: \`opening\`, the lines, and
\`closing\`, which is the opening plus all lines. Answers \`{ data, meta }\` with \`data\` being \`{ userId, currency, from, to,
opening, lines, closing, hasMore, nextCursor }\`; balances are \`{ available, reserved, total }\` and a line is \`{ time, account,
move, description, reference, counterparty, amount, balanceAfter }\`.

With \`format=csv\`, or \`Accept: text/csv\`, the answer is a table with a header line, the opening balances in its first lines and the
closing ones in its last; when there are more lines, the header \`X-Next-Cursor\` has the cursor of the next lines. A text cell
that a spreadsheet would take for a formula begins with an apostrophe.

\`format=html\` and \`format=pdf\` answer the whole range as one document for people, with the brand of the settings (DOCUMENT_NAME and
others). The Accept header does not choose them. A document shows the whole range: \`limit\` has no effect and \`cursor\` is 400. It has at most
${STATEMENT_DOCUMENT_LINES} lines, and a range with more is 400 and asks for a shorter range or CSV. The figures are those of the JSON answer. The same
range gives the same bytes.

\`month=2026-11\` is the range of that month in UTC; a month that has not ended yet ends now. Without \`from\` the range is ${STATEMENT_DAYS.usual} days, without \`to\` it ends now; it is at most ${STATEMENT_DAYS.max} days. An invalid range is 400
\`VALIDATION_ERROR\`.`,
  params: Strict({ id: Type.String({ maxLength: 64, description: 'User id.' }) }),
  query: Strict({
    from: Type.Optional(DateOrTime('Beginning of the range; a date without a time means 00:00 UTC.')),
    to: Type.Optional(DateOrTime('End of the range.')),
    month: Type.Optional(
      Type.String({
        pattern: '^\\d{4}-(0[1-9]|1[0-2])$',
        description: 'A month in UTC, instead of `from` and `to`.',
        examples: ['2026-11'],
      }),
    ),
    currency: Type.Optional(CurrencyCode),
    format: Type.Optional(Type.Enum(STATEMENT_FORMATS, { description: 'Takes precedence over the Accept header.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: STATEMENT_LINES.max,
        default: STATEMENT_LINES.usual,
        description: 'Maximum number of lines in one answer.',
      }),
    ),
    cursor: Type.Optional(Text(300, 'The nextCursor of the previous lines; it includes the range.')),
  }),
  status: 200,
  wrapping: 'raw',
  data: Statement,
  errors: ['ARCHIVED', 'SERVICE_UNAVAILABLE', 'USER_NOT_FOUND'],
});
