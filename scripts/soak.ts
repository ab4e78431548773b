// `npm run soak -- --minutes M [--rate R] [--seed N] [--report]`: a steady mix against a server of its own, with a line of how
// it stands and a report at the end. Ctrl-C ends it early with what is known by then. Ends with 1 when a promise did not hold.

import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { endInterrupted, watchInterruption } from '../server/src/programs/interruption.ts';
import { decimal, notEmpty, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { soakReport } from '../tools/load/soak-report.ts';
import { type Progress, runSoak } from '../tools/load/soak-run.ts';
import { verdictOf } from '../tools/load/soak-verdict.ts';
import { keepSection, mib } from '../tools/load/tables.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const values = scriptCommand('soak', 'A steady mix of work against a server of its own, with a report at the end.')
  .option('--minutes <number>', 'duration in minutes', decimal({ from: 0.1 }), 5)
  .option('--rate <number>', 'tasks begun per second; 0 for as many as possible', decimal({ from: 0, to: 10_000 }), 12)
  .option('--seed <number>', 'seed of the mix', whole({ from: 0 }), 1)
  .option('--people <number>', 'users created before the start', whole({ from: 2, to: 100_000 }), 40)
  .option(
    '--every <seconds>',
    'time between two samples; every sixth one collects garbage first',
    decimal({ from: 0.1 }),
    10,
  )
  .option('--samples <file>', 'append every sample to this file, as one line of JSON', notEmpty)
  .option('--report', 'write the result to docs/load-report.md', false)
  .parse()
  .opts<{
    minutes: number;
    rate: number;
    seed: number;
    people: number;
    every: number;
    samples?: string;
    report: boolean;
  }>();
process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/holdfast-tests');

const atOnce = new AbortController();
/** A second Ctrl-C ends the process at once. */
const signal = watchInterruption(() => atOnce.abort(signal.reason));
signal.addEventListener('abort', () => {
  console.error('\nNothing new begins; what is under way is finished and looked at. Once more ends it at once.');
});

const begunAt = performance.now();
let told = 0;
/** Prints each sample at once, so that the user sees the progress of a long run. */
const tellOdd = ({ recorder }: Progress['context']): void => {
  for (const odd of recorder.unexpected.slice(told)) console.error(`\nodd: ${odd}`);
  told = recorder.unexpected.length;
};
const show = ({ share, pieces, sample, context }: Progress): void => {
  if (values.samples) appendFileSync(values.samples, `${JSON.stringify(sample)}\n`);
  tellOdd(context);
  const { server, sandbox, database, streams } = sample;
  const minutes = ((performance.now() - begunAt) / 60_000).toFixed(1);
  const line =
    `${(share * 100).toFixed(1).padStart(5)} %  ${minutes} min  ${pieces} begun  ${context.recorder.requests()} requests  ` +
    `${context.recorder.unexpectedCount()} odd  server ${mib(server.heapLive ?? server.heapUsed).toFixed(0)}` +
    `${server.heapLive === null ? '' : '*'}/${mib(server.rss).toFixed(0)} MiB  simulators ` +
    `${mib(sandbox?.heapUsed ?? 0).toFixed(0)}/${mib(sandbox?.rss ?? 0).toFixed(0)} MiB  ` +
    `${streams} streams  ${server.openFiles ?? '?'} files  database ${mib(database.bytes).toFixed(0)} MiB`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${line}`);
  else console.error(line);
};

const { seed, rate, people, minutes, every } = values;
const soak = await runSoak({
  seed,
  rate,
  users: people,
  collectEvery: 6,
  sampleEveryMs: every * 1_000,
  until: { ms: minutes * 60_000 },
  signal,
  atOnce: atOnce.signal,
  onProgress: show,
}).catch((error: unknown) => endInterrupted(atOnce.signal, error));
if (process.stderr.isTTY) process.stderr.write('\n');
// Interrupted before anything had begun: nothing was proved.
if (soak.pieces.size === 0) endInterrupted(signal, signal.reason);
const command = `npm run soak -- ${process.argv.slice(2).join(' ')}`.trim();
const report = soakReport(soak, { command, seed, rate });
console.log(report);
if (values.report) await keepSection('Soak', report);
const { books, growth } = verdictOf(soak);
process.exitCode = [...books, ...growth].every(({ holds }) => holds) ? 0 : 1;
