// Exports of the books: every posting of a range of time as one file.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { DateOrTime, Strict } from './fields.ts';

const JOURNAL_FORMATS = ['csv', 'jsonl', 'hledger', 'beancount'] as const;

export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

export const exportJournal = endpoint({
  method: 'GET',
  path: '/exports/journal',
  access: 'read',
  heavy: true,
  tag: 'Exports',
  summary: 'Export journal',
  description: `Streams every posting of the marketplace in a range of time, oldest first, as a file for bookkeeping tools: \`csv\`,
\`jsonl\` (one JSON object per line), \`hledger\` or \`beancount\`. A posting takes \`amount\` from the account \`from\` and gives it to the
account \`to\`. CSV has the columns \`id, at, move, from, to, amount, currency, reference, orderId, userId, description\`, and a JSON
line has the same fields. Amounts are positive and have seven decimal places. A text cell of CSV that a spreadsheet would take for a formula begins with an apostrophe.

The names of accounts begin with \`assets:\` (wallets, contracts, the payment provider), \`liabilities:\` (users, orders), \`income:\` (fees),
\`expenses:\` (network and provider fees) or \`equity:\` (adjustments and opening balances). Beancount writes the same names with capital letters.

The last line is a comment, or a JSON object, with \`count\` (the number of postings), \`sha256\` of all bytes before this line, and the
range. A file without this line is incomplete. The same \`from\` and \`to\` give the same bytes at any later time, also after the months have
been archived. To continue an incomplete file, send the same \`from\` and \`to\` and its size as \`offset\`; the answer is the rest of the file,
and its last line describes the whole file. The header \`X-Journal-To\` has the \`to\` of an export that was asked for without one.

Without \`from\` the range begins with the first posting, without \`to\` it ends now. Each marketplace may run one export at once in each
process of the server.`,
  query: Strict({
    format: Type.Optional(Type.Enum(JOURNAL_FORMATS, { default: 'csv', description: 'Format of the file.' })),
    from: Type.Optional(DateOrTime('Beginning of the range, inclusive; a date without a time means 00:00 UTC.')),
    to: Type.Optional(DateOrTime('End of the range, exclusive; not in the future.')),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Leaves out this many bytes at the beginning of the file. Needs `to`.',
      }),
    ),
  }),
  status: 200,
  wrapping: 'raw',
  data: Type.String({ description: 'The file.' }),
  errors: ['ARCHIVED'],
});
