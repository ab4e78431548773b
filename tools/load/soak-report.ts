// The report of a soak as markdown: its findings, and a row for each sixth of the run.

import { PARTS } from './growth-check.ts';
import { GROUPS } from './recorder.ts';
import type { ProcessSample, Sample } from './samples.ts';
import type { Soak } from './soak-run.ts';
import { verdictOf } from './soak-verdict.ts';
import { type Cell, findingLines, machineLine, mib, pair, table } from './tables.ts';

const partsOf = ({ samples, lengthMs }: Soak): Sample[][] =>
  Array.from({ length: PARTS }, (_, part) =>
    samples.filter(({ atMs }) => Math.min(PARTS - 1, Math.floor((atMs / lengthMs) * PARTS)) === part),
  );

const nameOf = ({ lengthMs }: Soak, part: number): string => {
  const minutes = (at: number): string => String(Number(((lengthMs * at) / PARTS / 60_000).toFixed(1)));
  return `${minutes(part)}–${minutes(part + 1)} min`;
};

const most = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.max(...values));
const least = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.min(...values));
const inMib = (bytes: number | null): number | null => (bytes === null ? null : mib(bytes));

const processCells = (samples: readonly ProcessSample[]): Cell[] => [
  inMib(least(samples.flatMap(({ heapLive }) => (heapLive === null ? [] : [heapLive])))),
  inMib(most(samples.map(({ rss }) => rss))),
  inMib(least(samples.flatMap(({ externalLive }) => (externalLive === null ? [] : [externalLive])))),
  most(samples.map(({ delayP99Ms }) => delayP99Ms)),
  most(samples.map(({ handleCount }) => handleCount)),
  most(samples.flatMap(({ openFiles }) => (openFiles === null ? [] : [openFiles]))),
];

const PROCESS_COLUMNS = [
  '',
  'heap floor MiB',
  'RSS max MiB',
  'external floor MiB',
  'loop delay p99 ms',
  'handles',
  'files',
];

const processTable = (soak: Soak, read: (sample: Sample) => ProcessSample | null): string =>
  table(
    PROCESS_COLUMNS,
    partsOf(soak).map((samples, part) => [
      nameOf(soak, part),
      ...processCells(samples.flatMap((sample) => read(sample) ?? [])),
    ]),
  );

const DATABASE_COLUMNS = [
  '',
  'connections',
  'database MiB',
  'dead rows',
  'stored answers',
  'answers MiB',
  'job rows',
  'jobs MiB',
  'events MiB',
  'streams',
  'cores: server',
  'simulators',
  'PostgreSQL',
];

const coresOf = (samples: readonly Sample[], cpu: (sample: Sample) => number | null): Cell => {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs === first.atMs) return null;
  const begun = cpu(first);
  const ended = cpu(last);
  return begun === null || ended === null ? null : ((ended - begun) / (last.atMs - first.atMs)).toFixed(2);
};

const databaseTable = (soak: Soak): string =>
  table(
    DATABASE_COLUMNS,
    partsOf(soak).map((samples, part) => {
      const last = samples.at(-1)?.database;
      return [
        nameOf(soak, part),
        most(samples.map(({ database }) => database.connections)),
        inMib(last?.bytes ?? null),
        most(samples.map(({ database }) => database.deadRows)),
        last?.answerRows ?? null,
        inMib(last?.answerBytes ?? null),
        last?.queueRows ?? null,
        inMib(last?.queueBytes ?? null),
        inMib(last?.eventBytes ?? null),
        most(samples.map(({ streams }) => streams)),
        coresOf(samples, ({ server }) => server.cpuMs),
        coresOf(samples, ({ sandbox }) => sandbox?.cpuMs ?? null),
        coresOf(samples, ({ database }) => database.cpuMs),
      ];
    }),
  );

const latencyTable = (soak: Soak): string => {
  const groups = GROUPS.filter((group) => soak.context.recorder.total(group).count > 0);
  const { recorder } = soak.context;
  const rows = partsOf(soak).map((_, part) => [
    nameOf(soak, part),
    groups.reduce((sum, group) => sum + recorder.figures(part, group).count, 0),
    ...groups.map((group) => {
      const { count, p50Ms, p99Ms } = recorder.figures(part, group);
      return count === 0 ? null : pair(p50Ms, p99Ms);
    }),
  ]);
  return table(['p50 / p99 ms', 'requests', ...groups], rows);
};

const LINES_MAX = 12;

const failureLines = (failures: ReadonlyMap<string, number>): string =>
  [...failures]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, LINES_MAX)
    .map(([what, count]) => `- ${count} × ${what}`)
    .join('\n');

export const soakReport = (soak: Soak, of: { command: string; seed: number; rate: number }): string => {
  const { books, growth } = verdictOf(soak);
  const { recorder } = soak.context;
  const pieces = [...soak.pieces].toSorted((a, b) => b[1] - a[1]).map(([kind, count]) => `${count} ${kind}`);
  const statuses = [...recorder.statuses].toSorted().map(([status, count]) => `${count} × ${status}`);
  return [
    machineLine({ ...of, postgres: soak.postgres }),
    `${(soak.lengthMs / 60_000).toFixed(1)} minutes at ${of.rate} pieces of work a second: ${pieces.join(', ')}. ` +
      `Answers: ${statuses.join(', ')}. ${soak.late === 0 ? 'None began late.' : `${soak.late} times work began late.`}`,
    `${findingLines(books)}\n${findingLines(growth)}`,
    ...(recorder.unexpected.length > 0
      ? [`Unexpected, the first of them:\n\n${recorder.unexpected.map((line) => `- ${line}`).join('\n')}`]
      : []),
    ...(recorder.failures.size > 0
      ? [`Answers of 500 and more, repeated by the client:\n\n${failureLines(recorder.failures)}`]
      : []),
    ...(soak.warnings.size > 0 ? [`Warnings in the server's log:\n\n${failureLines(soak.warnings)}`] : []),
    `The server:\n\n${processTable(soak, ({ server }) => server)}`,
    `The simulators of the outside systems:\n\n${processTable(soak, ({ sandbox }) => sandbox)}`,
    `The database, and the processor use of the processes:\n\n${databaseTable(soak)}`,
    `Response times, as the client saw them:\n\n${latencyTable(soak)}`,
  ].join('\n\n');
};
