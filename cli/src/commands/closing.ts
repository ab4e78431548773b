// The closing of a month or a day: the users' money at its beginning and its end.

import type { ClosingReport } from '@holdfast/sdk';
import type { Command } from 'commander';
import { define } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action } from '../run.ts';
import type { Column } from '../view/table.ts';

type Row = ClosingReport['currencies'][number];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'opening', align: 'right', of: ({ opening }) => opening },
  { title: 'in', align: 'right', of: (row) => row.in },
  { title: 'out', align: 'right', of: ({ out }) => out },
  { title: 'fees', align: 'right', of: ({ fees }) => fees },
  { title: 'closing', align: 'right', of: ({ closing }) => closing },
  { title: 'available', align: 'right', minor: true, of: ({ closingBy }) => closingBy.available },
  { title: 'reserved', align: 'right', minor: true, of: ({ closingBy }) => closingBy.reserved },
  { title: 'in escrow', align: 'right', minor: true, of: ({ closingBy }) => closingBy.inEscrow },
];

const ASSET_COLUMNS: readonly Column<Row>[] = [
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'in wallets', align: 'right', of: ({ assets }) => assets?.wallets ?? null },
  { title: 'in contracts', align: 'right', of: ({ assets }) => assets?.contracts ?? null },
  { title: 'at provider', align: 'right', of: ({ assets }) => assets?.provider ?? null },
];

export const addClosingCommand = (program: Command): void => {
  define(program, {
    name: 'closing <period>',
    what: "the users' money in a month or on a day: opening, in, out, fees, closing, and where the money is",
    examples: ['holdfast closing 2026-11', 'holdfast closing 2026-11-15 --json', 'holdfast closing 2026-11 --csv'],
  })
    .option('--csv', 'print CSV, for a spreadsheet')
    .action(
      action<{ readonly csv?: true }>(async ({ client, out, options }, [period]) => {
        if (options.csv) {
          if (out.isJson) throw wrongUsage('Use --json or --csv, not both.');
          process.stdout.write(await client.reports.closingCsv(period!));
          return undefined;
        }
        const report = await client.reports.closing(period!);
        if (out.isJson) return out.json(report);
        if (report.currencies.length === 0) out.line('There are no postings up to the end of this period.');
        else {
          out.table(report.currencies, COLUMNS);
          out.line('');
          out.table(report.currencies, ASSET_COLUMNS);
        }
        if (report.sealedAt !== null) out.line(`Sealed at ${report.sealedAt}, hash ${report.hash}.`);
        if (report.openBecause !== null) out.line(report.openBecause);
        return undefined;
      }),
    );
};
