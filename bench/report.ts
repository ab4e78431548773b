// Prints what was measured: the machine, one table with its yardsticks and ratios, the budgets beside it. As text, as
// markdown for docs/benchmarks.md, or as JSON. Judges nothing: a missed budget is printed, not punished, because it may
// be the machine's.

import os from 'node:os';
import path from 'node:path';
import type { Format } from '../tools/measure/options.ts';
import { type Sample, type Taken, typical } from '../tools/measure/rounds.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

export type Cell = string | number | null;

export type Budget = {
  readonly what: string;
  readonly budget: string;
  readonly measured: string;
  readonly met: boolean;
};

export type Report = {
  readonly title: string;
  readonly postgres: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly budgets: readonly Budget[];
  readonly notes: readonly string[];
};

const SAMPLE_COLUMNS = [
  ['p50 ms', 'p50Ms', 1],
  ['p99 ms', 'p99Ms', 1],
  ['commands per commit', 'groupSize', 1],
  ['node CPU µs each', 'cpuMicros', 0],
  ['server CPU µs each', 'serverMicros', 0],
  ['PostgreSQL CPU µs each', 'postgresMicros', 0],
] as const satisfies readonly (readonly [string, keyof Sample, number])[];

/** One measured thing, and by column what stands in its ratio columns. */
export type Line = { readonly name: string; readonly ratios?: Readonly<Record<string, number>> };

export const rounded = (value: number, places: number): number => Number(value.toFixed(places));

/** The table of speeds: what, per second, the ratios, and whatever else the samples carry. */
export const speedTable = (taken: Taken, lines: readonly Line[]): Pick<Report, 'columns' | 'rows'> => {
  const ratioNames = [...new Set(lines.flatMap(({ ratios }) => Object.keys(ratios ?? {})))];
  const samples = lines.map(({ name }) => typical(taken, name));
  const shown = SAMPLE_COLUMNS.filter(([, field]) => samples.some((sample) => sample[field] !== undefined));
  return {
    columns: ['what', 'per second', ...ratioNames, ...shown.map(([title]) => title)],
    rows: lines.map(({ name, ratios }, i): Cell[] => [
      name,
      Math.round(samples[i]!.perSecond),
      ...ratioNames.map((column) => (ratios?.[column] === undefined ? null : rounded(ratios[column], 2))),
      ...shown.map(([, field, places]) => {
        const value = samples[i]![field];
        return value === undefined ? null : rounded(value, places);
      }),
    ]),
  };
};

// Taken when the measurement begins: afterwards the load is its own.
const loadBefore = os.loadavg()[0]!;

const machineOf = (postgres: string) => ({
  date: new Date().toISOString().slice(0, 16).replace('T', ' '),
  command: ['node', path.relative(ROOT, process.argv[1] ?? ''), ...process.argv.slice(2)].join(' '),
  cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
  cores: os.availableParallelism(),
  memoryGib: rounded(os.totalmem() / 2 ** 30, 1),
  system: `${os.type()} ${os.release()}`,
  node: process.version,
  postgres,
  loadBefore: rounded(loadBefore, 2),
});

const machineLine = (machine: ReturnType<typeof machineOf>): string =>
  `${machine.date} UTC, \`${machine.command}\`, on ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGib} GiB, ` +
  `${machine.system}, Node ${machine.node}, PostgreSQL ${machine.postgres}; load before it began ${machine.loadBefore}.`;

const show = (cell: Cell): string => {
  if (cell === null) return '–';
  return typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 2 }) : cell;
};

const BUDGET_COLUMNS = ['budget', 'asks', 'measured', ''];
const budgetRows = (budgets: readonly Budget[]): Cell[][] =>
  budgets.map(({ what, budget, measured, met }) => [what, budget, measured, met ? 'met' : 'MISSED']);

const markdownTable = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const isNumber = columns.map((_, i) => rows.some((row) => typeof row[i] === 'number'));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|${isNumber.map((right) => (right ? '---:' : '---')).join('|')}|`;
  return [line(columns), rule, ...rows.map((row) => line(row.map(show)))].join('\n');
};

const textTable = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const cells = [columns, ...rows.map((row) => row.map(show))];
  const widths = columns.map((_, i) => Math.max(...cells.map((row) => row[i]!.length)));
  const isNumber = columns.map((_, i) => rows.some((row) => typeof row[i] === 'number'));
  return cells
    .map((row) => row.map((cell, i) => (isNumber[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
};

export const printReport = (report: Report, format: Format): void => {
  const machine = machineOf(report.postgres);
  if (format === 'json') {
    const { columns, rows, title, budgets, notes } = report;
    const lines = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]])));
    console.log(JSON.stringify({ title, machine, lines, budgets, notes }, null, 2));
    return;
  }
  const table = format === 'markdown' ? markdownTable : textTable;
  const parts = [
    format === 'markdown' ? `### ${report.title}` : report.title,
    machineLine(machine),
    table(report.columns, report.rows),
    ...(report.budgets.length > 0 ? [table(BUDGET_COLUMNS, budgetRows(report.budgets))] : []),
    ...(report.notes.length > 0 ? [report.notes.map((note) => `- ${note}`).join('\n')] : []),
  ];
  console.log(`${parts.join('\n\n')}\n`);
};
