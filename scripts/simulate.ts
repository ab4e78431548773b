// Runs simulated marketplaces against the real server and the simulators: one seed, or as many as the time allows, with a display
// of how far it is. Writes what was really run to docs/simulation-report.md when it is told to.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { killChildren, runWithCleanUp, stopAfterwards } from '../server/src/programs/interruption.ts';
import { decimal, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import type { Size } from '../tools/simulation/plan.ts';
import { lockReport } from '../tools/simulation/report-lock.ts';
import { prepareTemplate, startTestPostgres } from '../tools/test-database/template.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const values = scriptCommand(
  'simulate',
  'Runs simulated marketplaces against real servers and simulators, and checks the books after each step.',
)
  .option('--seed <number>', 'one seed, for example one that failed', whole({ from: 0 }))
  .option('--seeds <number>', 'number of seeds', whole({ from: 1 }), 10)
  .option('--first <number>', 'the first seed', whole({ from: 0 }), 1)
  .option('--minutes <number>', 'start no new seed after this number of minutes', decimal({ from: 0.01 }), 600)
  .option(
    '--processes <number>',
    'servers on one PostgreSQL; every second seed has one server',
    whole({ from: 1, to: 16 }),
    2,
  )
  .option('--crashes', 'kill servers, simulators and PostgreSQL in about half of the seeds', false)
  .option('--keep-database', 'with --crashes: do not kill PostgreSQL', false)
  .option('--restores', 'end about half of the seeds with the restore of a backup from the middle of the run', false)
  .option('--archives', 'archive the past in most steps while the marketplaces live, and put it back', false)
  .option('--at-once <number>', 'seeds that run at the same time', whole({ from: 1, to: 64 }), 1)
  .option('--steps <number>', 'steps of each seed', whole({ from: 1 }))
  .option('--lives <number>', 'scenarios that begin in each step', whole({ from: 1 }))
  .option('--people <number>', 'users of all marketplaces', whole({ from: 1 }))
  .option('--faults <list>', 'only these faults, as "payments-get missing,fund surplus"')
  .option('--report', 'write docs/simulation-report.md', false)
  .parse()
  .opts<{
    seed?: number;
    seeds: number;
    first: number;
    minutes: number;
    processes: number;
    crashes: boolean;
    keepDatabase: boolean;
    restores: boolean;
    archives: boolean;
    atOnce: number;
    steps?: number;
    lives?: number;
    people?: number;
    faults?: string;
    report: boolean;
  }>();

const lock = values.report ? lockReport(path.join(ROOT, 'node_modules/.cache/simulation-report.lock')) : null;
if (values.report && !lock) {
  console.error('Another run writes the report. Wait for its end, or run without --report.');
  process.exit(1);
}

await runWithCleanUp(async (cleanUp) => {
  cleanUp.defer(() => lock?.release());
  // Everything that is made goes here, so an interrupted run leaves nothing.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-simulate-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/holdfast-tests');
  const postgres = await stopAfterwards(cleanUp, startTestPostgres());
  cleanUp.defer(killChildren);
  process.env.TEST_POSTGRES = JSON.stringify(await prepareTemplate(postgres.connection));
  // Loaded now: the databases of the environments are made in the PostgreSQL that was just started.
  const { simulate } = await import('../tools/simulation/many-seeds.ts');
  const isWhole = await simulate({
    seeds: values.seed === undefined ? rangeOf(values.first, values.seeds) : [values.seed],
    minutes: values.minutes,
    processes: values.processes,
    crashes: values.crashes,
    databases: values.crashes && !values.keepDatabase,
    restores: values.restores,
    archives: values.archives,
    atOnce: values.atOnce,
    size: sizeOf(),
    ...(values.faults ? { faults: values.faults.split(',') } : {}),
    report: values.report ? path.join(ROOT, 'docs/simulation-report.md') : null,
    command: `npm run simulate -- ${process.argv.slice(2).join(' ')}`,
  });
  process.exitCode = isWhole ? 0 : 1;
});

function rangeOf(first: number, length: number): number[] {
  return Array.from({ length }, (_, at) => first + at);
}

function sizeOf(): Partial<Size> {
  const { steps, lives: scenarios, people: users } = values;
  const sizes = { steps, scenarios, users };
  return Object.fromEntries(Object.entries(sizes).filter(([, size]) => size !== undefined));
}
