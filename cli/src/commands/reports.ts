// The reports for bookkeeping: fee income, payouts by destination, and open items by age; as tables, as JSON or as CSV.

import type { FeeReport, GetFeeReportQuery, OpenItemsReport, PayoutReport } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, choice, define } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action, type Run } from '../run.ts';
import type { Column } from '../view/table.ts';
import { addFigures } from './money/figures.ts';

type CsvOption = { readonly csv?: true };

type RangeOptions = CsvOption & { readonly from?: string; readonly to?: string };

type FeeOptions = RangeOptions & { readonly by?: NonNullable<GetFeeReportQuery['interval']> };

type ItemOptions = CsvOption & { readonly at?: string; readonly limit?: number };

const INTERVALS = ['day', 'week', 'month'] as const;

const right = { align: 'right' } as const;

type FeeRow = FeeReport['currencies'][number]['intervals'][number] & { readonly currency: string };

const FEE_COLUMNS: readonly Column<FeeRow>[] = [
  { title: 'from', of: ({ from }) => from.slice(0, 10) },
  { title: 'to', of: ({ to }) => to.slice(0, 10) },
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'earned', ...right, of: ({ earned }) => earned },
  { title: 'reversed', ...right, of: ({ reversed }) => reversed },
  { title: 'network fees', ...right, of: ({ networkFees }) => networkFees },
  { title: 'provider fees', ...right, of: ({ providerFees }) => providerFees },
  { title: 'net', ...right, of: ({ net }) => net },
];

type Parts = Pick<PayoutReport['groups'][number], 'paid' | 'failed' | 'open'>;

type PayoutRow = Parts & { readonly type: string; readonly currency: string; readonly destination: string };

const PAYOUT_COLUMNS: readonly Column<PayoutRow>[] = [
  { title: 'type', of: ({ type }) => type },
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'destination', flexible: true, of: ({ destination }) => destination },
  ...(['paid', 'failed', 'open'] as const).flatMap((part): Column<PayoutRow>[] => [
    { title: part, ...right, of: (row) => String(row[part].count) },
    { title: `${part} amount`, ...right, of: (row) => row[part].amount },
  ]),
];

const payoutRows = ({ groups }: PayoutReport): PayoutRow[] =>
  groups.flatMap(({ type, currency, destinations, rest, ...total }) => [
    ...destinations.map((each) => ({ ...each, type, currency, destination: each.address ?? each.email ?? '' })),
    ...(rest ? [{ ...rest, type, currency, destination: `${rest.destinations} others` }] : []),
    { ...total, type, currency, destination: 'total' },
  ]);

type Kind = OpenItemsReport['kinds'][number];

type AgeRow = Kind['currencies'][number] & { readonly kind: string };

const AGES = ['under 1 day', '1 to 7 days', '7 to 30 days', '30 to 90 days', 'over 90 days'];

const AGE_COLUMNS: readonly Column<AgeRow>[] = [
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'count', ...right, of: ({ count }) => String(count) },
  { title: 'amount', ...right, of: ({ amount }) => amount },
  ...AGES.map(
    (title, place): Column<AgeRow> => ({ title, ...right, minor: true, of: ({ ages }) => String(ages[place]!.count) }),
  ),
];

type ItemRow = Kind['oldest'][number] & { readonly kind: string };

const ITEM_COLUMNS: readonly Column<ItemRow>[] = [
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'id', flexible: true, of: ({ id }) => id },
  { title: 'since', of: ({ since }) => since },
  { title: 'amount', ...right, of: ({ amount }) => amount },
  { title: 'currency', of: ({ currency }) => currency },
];

type Shown<Report> = {
  csv(): Promise<string>;
  json(): Promise<Report>;
  /** Shows the report as tables. */
  show(report: Report): void;
};

const showReport = async <Report>(
  { out, options }: Run<CsvOption>,
  { csv, json, show }: Shown<Report>,
): Promise<void> => {
  if (!options.csv) {
    const report = await json();
    if (out.isJson) out.json(report);
    else show(report);
    return;
  }
  if (out.isJson) throw wrongUsage('Use --json or --csv, not both.');
  process.stdout.write(await csv());
};

const csvOption = (command: Command): Command => command.option('--csv', 'print CSV, for a spreadsheet');

const rangeOptions = (command: Command): Command =>
  csvOption(
    command
      .option('--from <day>', 'first day, such as 2026-11-01; 30 days by default')
      .option('--to <day>', 'the day after the last one, at most tomorrow; tomorrow by default'),
  );

const rangeOf = ({ from, to }: RangeOptions) => ({ ...(from ? { from } : {}), ...(to ? { to } : {}) });

/** Without --from, months are whole from the first one. The server says when the last 30 days begin, because its clock may be another. */
const feeQuery = async ({ client, options }: Run<FeeOptions>): Promise<GetFeeReportQuery> => {
  const query = { ...rangeOf(options), ...(options.by ? { interval: options.by } : {}) };
  if (options.by !== 'month' || options.from) return query;
  const { from } = await client.reports.fees(query);
  return { ...query, from: `${from.slice(0, 7)}-01` };
};

const addFees = (parent: Command): void => {
  rangeOptions(
    define(parent, {
      name: 'fees',
      what: 'the fees that the platform has earned, and what they have cost',
      examples: ['holdfast report fees', 'holdfast report fees --from 2026-01-01 --by month --csv'],
    }).addOption(choice('--by <interval>', { what: 'the length of an interval; day by default', of: INTERVALS })),
  ).action(
    action<FeeOptions>(async (run) => {
      const { client, out } = run;
      const query = await feeQuery(run);
      await showReport(run, {
        csv: () => client.reports.feesCsv(query),
        json: () => client.reports.fees(query),
        show({ currencies }) {
          const rows = currencies.flatMap(({ currency, intervals }) =>
            intervals.map((each) => ({ ...each, currency })),
          );
          const isShown = ({ earned, reversed, networkFees, providerFees }: FeeRow): boolean =>
            [earned, reversed, networkFees, providerFees].some((amount) => !/^0\.0+$/.test(amount));
          if (currencies.length === 0) out.line('There are no fees in this range.');
          else out.table(rows.filter(isShown), FEE_COLUMNS);
          for (const { currency, totals } of currencies) out.line(`Net ${totals.net} ${currency}.`);
        },
      });
    }),
  );
};

const addPayouts = (parent: Command): void => {
  rangeOptions(
    define(parent, {
      name: 'payouts',
      what: 'withdrawals that were paid, that failed and that are open, by destination',
      examples: ['holdfast report payouts', 'holdfast report payouts --from 2026-10-01 --to 2026-11-01 --csv'],
    }),
  ).action(
    action<RangeOptions>(async (run) => {
      const { client, out, options } = run;
      const query = rangeOf(options);
      await showReport(run, {
        csv: () => client.reports.payoutsCsv(query),
        json: () => client.reports.payouts(query),
        show(report) {
          if (report.groups.length === 0) out.line('There are no withdrawals in this range.');
          else out.table(payoutRows(report), PAYOUT_COLUMNS);
        },
      });
    }),
  );
};

const addOpenItems = (parent: Command): void => {
  csvOption(
    define(parent, {
      name: 'open-items',
      what: 'orders in escrow, disputes, withdrawals, top-ups and breaks that are open, by age',
      examples: ['holdfast report open-items', 'holdfast report open-items --at 2026-11-01 --limit 50'],
    })
      .option(
        '--at <time>',
        'counts ages from this date or time; a date means its beginning: for the end of November write 2026-12-01; now by default',
      )
      .option('--limit <count>', 'how many of the oldest items of each kind are listed', atLeastOne),
  ).action(
    action<ItemOptions>(async (run) => {
      const { client, out, options } = run;
      const { at, limit } = options;
      const query = { ...(at ? { at } : {}), ...(limit === undefined ? {} : { limit }) };
      await showReport(run, {
        csv: () => client.reports.openItemsCsv(query),
        json: () => client.reports.openItems(query),
        show({ kinds }) {
          const ages = kinds.flatMap(({ kind, currencies }) => currencies.map((each) => ({ ...each, kind })));
          if (ages.length === 0) return out.line('Nothing is open.');
          out.table(ages, AGE_COLUMNS);
          out.line('');
          return out.table(
            kinds.flatMap(({ kind, oldest }) => oldest.map((each) => ({ ...each, kind }))),
            ITEM_COLUMNS,
          );
        },
      });
    }),
  );
};

export const addReportCommands = (program: Command): void => {
  const report = define(program, {
    name: 'report',
    what: 'reports: fees, payouts, open items, and the figures of the console',
    examples: ['holdfast report fees --by month', 'holdfast report open-items'],
  });
  addFees(report);
  addPayouts(report);
  addOpenItems(report);
  addFigures(report);
};
