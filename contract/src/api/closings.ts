// The closing of a month or a day: the users' money at its beginning and end, what came in and went out, and where the money is.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { CurrencyCode, Exact, Nullable, ReportFormat, Strict, Timestamp } from './fields.ts';

const Owned = (description: string) =>
  Type.Object(
    {
      available: Exact('What users can spend.'),
      reserved: Exact('Reserved for orders and withdrawals.'),
      inEscrow: Exact('In the escrow of orders.'),
    },
    { description },
  );

export const ClosingReport = Type.Object({
  period: Type.String({ description: 'The month or the day.', examples: ['2026-11'] }),
  from: Timestamp('Beginning of the period, inclusive.'),
  to: Timestamp('End of the period, exclusive.'),
  sealed: Type.Boolean({ description: 'Whether the month of the period is sealed.' }),
  sealedAt: Nullable(Timestamp('When it was sealed.')),
  hash: Nullable(
    Type.String({
      description: 'SHA-256 of all figures of the month. The audit entry `CLOSING_SEALED` has the same hash.',
    }),
  ),
  openBecause: Nullable(
    Type.String({ description: 'Why the figures can still change, or are incomplete. Null: nothing can change them.' }),
  ),
  currencies: Type.Array(
    Type.Object({
      currency: CurrencyCode,
      opening: Exact("The users' money at the beginning: available, reserved and in escrow."),
      in: Exact('What came in: deposits, top-ups and credits.'),
      out: Exact('What went out: withdrawals, debits and fees.'),
      closing: Exact('Opening plus in minus out.'),
      fees: Exact('Platform fees, which are a part of out.'),
      openingBy: Owned('The opening by owner.'),
      closingBy: Owned('The closing by owner.'),
      assets: Nullable(
        Type.Object(
          {
            wallets: Exact('At our addresses on the ledger.'),
            contracts: Exact('In escrow contracts.'),
            provider: Exact('At the payment provider.'),
          },
          {
            description:
              "Where the money is at the end, from the books. It contains the users' money, the earned fees and the operator's own money. " +
              'Null: an earlier version sealed the month without it.',
          },
        ),
      ),
    }),
    { description: 'Every currency with at least one posting up to the end of the period.' },
  ),
});

export const getClosing = endpoint({
  method: 'GET',
  path: '/reports/closing',
  access: 'read',
  heavy: true,
  asCsv: true,
  tag: 'Reports',
  summary: 'Closing of a month or a day',
  description: `The users' money in a period, by currency: opening plus in minus out is closing. Periods are in UTC. A job seals each
month on the day after its end: the figures of the month and its days are stored, and their hash is an entry of the audit chain. Before that
the figures are added up from the postings since the last sealed month. With \`format=csv\`, or \`Accept: text/csv\`, the answer is a table
with a row for each currency.`,
  query: Strict({
    period: Type.String({
      pattern: '^\\d{4}-\\d{2}(-\\d{2})?$',
      description: 'A month or a day, such as `2026-11` or `2026-11-15`.',
      examples: ['2026-11'],
    }),
    format: Type.Optional(ReportFormat),
  }),
  status: 200,
  wrapping: 'plain',
  data: ClosingReport,
  errors: ['ARCHIVED'],
});
