// Statements of the outside systems: upload a CSV file, and compare it with the records.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  type ProviderStatement,
  type ProviderStatementLine,
  type ProviderStatementReport,
  STATEMENT_LINE_STATUSES,
  STATEMENT_SYSTEMS,
} from '@holdfast/sdk';
import type { Command } from 'commander';
import { choice, define, gather, type KeyOption, keyOption, pageOptions, wholeNumber } from '../../define.ts';
import { wrongUsage } from '../../failures.ts';
import { action, type PageOptions, pageQuery, type Run, showPage } from '../../run.ts';
import { dayOf } from '../../times.ts';
import type { Column } from '../../view/table.ts';

const STATEMENTS: readonly Column<ProviderStatement>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'system', of: ({ system }) => system },
  { title: 'from', of: ({ from }) => dayOf(from) },
  { title: 'to', of: ({ to }) => dayOf(to) },
  { title: 'lines', align: 'right', of: ({ lines }) => String(lines) },
  { title: 'file', of: ({ fileName }) => fileName, flexible: true },
  { title: 'uploaded', of: ({ createdAt }) => dayOf(createdAt), minor: true },
];

const LINES: readonly Column<ProviderStatementLine>[] = [
  { title: 'status', of: ({ status }) => status },
  { title: 'row', align: 'right', of: ({ row }) => (row === null ? '' : String(row)) },
  { title: 'date', of: ({ date }) => dayOf(date) },
  { title: 'reference', of: ({ reference }) => reference ?? '', flexible: true },
  { title: 'amount', align: 'right', of: ({ amount, currency }) => `${amount} ${currency}` },
  { title: 'ours', align: 'right', of: ({ record }) => record?.amount ?? '' },
  { title: 'difference', align: 'right', of: ({ difference }) => difference ?? '' },
  { title: 'record', of: ({ record, suggestion }) => record?.id ?? (suggestion ? `${suggestion.id}?` : '') },
];

const TOTALS: readonly Column<ProviderStatementReport['totals'][number]>[] = [
  { title: 'currency', of: ({ currency }) => currency },
  { title: 'status', of: ({ status }) => status },
  { title: 'count', align: 'right', of: ({ count }) => String(count) },
  { title: 'amount', align: 'right', of: ({ amount }) => amount },
];

const factsOf = (statement: ProviderStatement): [string, string | null][] => [
  ['id', statement.id],
  ['system', statement.system],
  ['file', statement.fileName],
  ['sha-256', statement.sha256],
  ['lines', String(statement.lines)],
  ['from', dayOf(statement.from)],
  ['to', dayOf(statement.to)],
  ['tolerance', `${statement.toleranceMinutes} minutes at the edges of the range`],
  ['uploaded', `${dayOf(statement.createdAt)} by ${statement.author.name}`],
];

const show = ({ out }: Run<unknown>, report: ProviderStatementReport): void => {
  if (out.isJson) {
    out.json(report);
    return;
  }
  out.facts(factsOf(report));
  if (report.totals.length === 0) out.line('The file and our records have nothing in this range.');
  else out.table(report.totals, TOTALS);
  if (!report.isComplete) out.line('Only the first records of the range were compared: use shorter ranges.');
};

const COLUMN_FIELDS = ['date', 'reference', 'amount', 'currency', 'type', 'fee', 'description'] as const;

type ColumnField = (typeof COLUMN_FIELDS)[number];

/** `date=Settled at` and so on. */
const columnsOf = (given: readonly string[]): Partial<Record<ColumnField, string>> =>
  Object.fromEntries(
    given.map((text) => {
      const field = COLUMN_FIELDS.find((one) => text.startsWith(`${one}=`));
      if (field === undefined) {
        throw wrongUsage(`"${text}" is not <field>=<column>. Fields: ${COLUMN_FIELDS.join(', ')}.`);
      }
      return [field, text.slice(field.length + 1)];
    }),
  );

type UploadOptions = KeyOption & {
  readonly system: ProviderStatement['system'];
  readonly from: string;
  readonly to: string;
  readonly column?: readonly string[];
  readonly currency?: 'USD' | 'USDC' | 'XLM';
  readonly tolerance?: number;
};

const addUpload = (statements: Command): void => {
  keyOption(
    define(statements, {
      name: 'upload <file>',
      ids: true,
      what: 'upload a CSV file and compare it; the same file is stored once',
      examples: [
        'holdfast provider-statements upload october.csv --from 2026-10-01 --to 2026-11-01',
        'holdfast provider-statements upload out.csv --from 2026-10-01 --to 2026-11-01 --column "reference=Payment id"',
      ],
    }),
  )
    .requiredOption('--from <time>', 'beginning of the range that the file covers')
    .requiredOption('--to <time>', 'end of the range, exclusive')
    .addOption(
      choice('--system <system>', { what: 'whose statement it is', of: STATEMENT_SYSTEMS }).default('payment-provider'),
    )
    .option('--column <field=name>', 'name of a column of the file; may be repeated', gather)
    .addOption(choice('--currency <code>', { what: 'of lines without a currency', of: ['USD', 'USDC', 'XLM'] }))
    .option('--tolerance <minutes>', 'tolerance at the edges of the range', wholeNumber)
    .action(
      action<UploadOptions>(async (run, [file]) => {
        const { system, from, to, currency, column, tolerance: toleranceMinutes, idempotencyKey } = run.options;
        const input = {
          system,
          fileName: path.basename(file!),
          content: await readFile(file!),
          from,
          to,
          columns: columnsOf(column ?? []),
          currency,
          toleranceMinutes,
        };
        const { id } = await run.client.providerStatements.upload(input, { idempotencyKey });
        show(run, await run.client.providerStatements.get(id));
      }),
    );
};

type LineOptions = PageOptions & { readonly status?: ProviderStatementLine['status']; readonly csv?: boolean };

const addReads = (statements: Command): void => {
  pageOptions(
    define(statements, {
      name: 'list',
      ids: true,
      what: 'uploaded statements, newest first',
      examples: ['holdfast provider-statements list'],
    }),
  )
    .addOption(choice('--system <system>', { what: 'only of this system', of: STATEMENT_SYSTEMS }))
    .action(
      action<PageOptions & { readonly system?: ProviderStatement['system'] }>(async (run) => {
        const list = run.client.providerStatements.list({ ...pageQuery(run.options), system: run.options.system });
        await showPage(run, { list, columns: STATEMENTS, none: 'No provider statements.' });
      }),
    );

  define(statements, {
    name: 'show <statementId>',
    ids: true,
    what: 'compare a statement with our records as they are now: counts and sums',
    examples: ['holdfast provider-statements show pst_01J…'],
  }).action(action(async (run, [id]) => show(run, await run.client.providerStatements.get(id!))));

  pageOptions(
    define(statements, {
      name: 'lines <statementId>',
      what: 'the compared lines, then our records that the file does not have',
      examples: [
        'holdfast provider-statements lines pst_01J… --status MISSING_HERE',
        'holdfast provider-statements lines pst_01J… --csv > report.csv',
      ],
    }),
  )
    .addOption(choice('--status <status>', { what: 'only with this status', of: STATEMENT_LINE_STATUSES }))
    .option('--csv', 'all lines as CSV')
    .action(
      action<LineOptions>(async (run, [id]) => {
        const { status, csv } = run.options;
        if (csv) {
          process.stdout.write(await run.client.providerStatements.download(id!, { status }));
          return;
        }
        const list = run.client.providerStatements.lines(id!, { ...pageQuery(run.options), status });
        await showPage(run, { list, columns: LINES, none: 'No lines.' });
      }),
    );
};

export const addProviderStatementCommands = (program: Command): void => {
  const statements = define(program, {
    name: 'provider-statements',
    what: 'statements of the outside systems, compared with our records',
    examples: ['holdfast provider-statements list', 'holdfast provider-statements show pst_01J…'],
  });
  addUpload(statements);
  addReads(statements);
};
