// What was really run, as a page: a row for each run with its date, machine, command and figures, and their sums. Rows of
// earlier runs are kept as they are. It judges nothing that the checks have not judged.

import os from 'node:os';
import { CHECKS } from './checks/checks.ts';
import type { Run, Simulation } from './many-seeds.ts';
import type { Figures } from './run-seed.ts';

const FAILURE_MAX = 1_500;

/** What is counted, by the name of its column. */
const COUNTED: Readonly<Record<string, (one: Figures) => number>> = {
  scenarios: ({ scenarios }) => scenarios,
  'of these orders': ({ orders }) => orders,
  steps: ({ steps }) => steps,
  'faults shown': ({ faults }) => faults,
  'servers killed': ({ serverCrashes }) => serverCrashes,
  'simulators killed': ({ simulatorsCrashes }) => simulatorsCrashes,
  'PostgreSQL killed': ({ databaseCrashes }) => databaseCrashes,
  'calls acknowledged': ({ calls }) => calls.acknowledged,
  refused: ({ calls }) => calls.refused,
  unknown: ({ calls }) => calls.unknown,
  'webhooks delivered': ({ webhooks }) => webhooks.delivered,
  'twice at once': ({ webhooks }) => webhooks.twice,
  late: ({ webhooks }) => webhooks.late,
  repeated: ({ webhooks }) => webhooks.repeated,
  forged: ({ webhooks }) => webhooks.forged,
  events: ({ events }) => events,
  'reconciliations during a step': ({ reconciliations }) => reconciliations,
  'checks made': ({ checks }) => checks,
  // The last ones: rows of earlier runs have no such cells.
  'backups restored': ({ restores }) => restores,
  'archives made and restored': ({ archives }) => archives,
  'archivers killed': ({ archiverCrashes }) => archiverCrashes,
  'deadlines passed': ({ deadlines }) => deadlines,
  'dry runs compared': ({ previews }) => previews,
};

const machine = (): string =>
  `${os.availableParallelism()} × ${os.cpus()[0]?.model.trim() ?? 'processor'}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, ${os.type()} ${os.arch()}, Node ${process.version}`;

const rangesOf = (seeds: readonly number[]): string => {
  const ranges: [first: number, last: number][] = [];
  for (const seed of seeds.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] === seed - 1) last[1] = seed;
    else ranges.push([seed, seed]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(' ') || 'none';
};

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const runRow = ({ startedAt, endedAt, figures, failures }: Run): string => {
  const minutes = ((endedAt.getTime() - startedAt.getTime()) / 60_000).toFixed(1);
  const sums = Object.values(COUNTED).map((of) => figures.reduce((sum, one) => sum + of(one), 0));
  const seeds = [rangesOf(figures.map(({ seed }) => seed)), rangesOf(failures.map(({ seed }) => seed))];
  return row([startedAt.toISOString(), minutes, ...seeds, ...sums]);
};

const HEAD = ['run', 'minutes', 'seeds that held', 'seeds that failed', ...Object.keys(COUNTED)];

const isRow = (line: string): boolean => /^\| \d{4}-\d\d-\d\dT/.test(line);

const sumRow = (rows: readonly string[]): string => {
  const sums = Object.keys(COUNTED).map((_, at) =>
    rows.reduce((sum, line) => sum + Number(line.split(' | ')[at + 4]?.replace(' |', '') ?? 0), 0),
  );
  return row(['**all**', '', '', '', ...sums]);
};

/** Rows of another generator of environments have other columns, and are kept as they are. */
const PAST = '## Earlier generators';

/** `earlier` is the page as it was, or nothing. */
export const reportOf = (run: Run, { simulation, earlier }: { simulation: Simulation; earlier: string }): string => {
  const start = run.startedAt.toISOString();
  const isOther = (line: string): boolean => !line.includes(start);
  const [own = '', past] = earlier.split(`${PAST}\n`);
  const lines = own.split('\n');
  const rows = [...lines.filter((line) => isRow(line) && isOther(line)), runRow(run)];
  const commands = lines.filter((line) => /^- \d{4}-\d\d-\d\dT/.test(line) && isOther(line));
  return [
    '# Simulation report',
    '',
    'Written by `npm run simulate -- --report` after each seed. [simulation.md](simulation.md) describes the simulation and its checks.',
    'The figures are those of the seeds that held.',
    '',
    row(HEAD),
    row(HEAD.map(() => '---')),
    ...rows,
    sumRow(rows),
    '',
    '## Commands and machines',
    '',
    ...commands,
    `- ${start}: \`${simulation.command}\` on ${machine()}`,
    '',
    '## Checks',
    '',
    row(['check', 'when', 'promise']),
    row(['---', '---', '---']),
    ...Object.entries(CHECKS).map(([name, { when, promise }]) =>
      row([name, when === 'always' ? 'after each step' : 'at the end', promise]),
    ),
    '',
    ...run.failures.flatMap(({ seed, told }) => [
      `## Seed ${seed} failed in the last run`,
      '',
      '```',
      told.slice(0, FAILURE_MAX),
      '```',
      '',
    ]),
    ...(past === undefined ? [] : [PAST, past]),
  ].join('\n');
};
