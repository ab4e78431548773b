// Runs simulated marketplaces against the real server and the twins: one seed, or as many as the time allows, with a display
// of how far it is. Writes what was really run to docs/simulation-report.md when it is told to.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { decimal, flag, ordersOf, whole } from '../tools/arguments.ts';
import { killAll, runTidily, stopAfterwards } from '../tools/processes/interruption.ts';
import { lockReport } from '../tools/simulation/report-lock.ts';
import { prepareTemplate, startTestPostgres } from '../tools/test-database/template.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const USAGE = `npm run simulate -- [options]
  --seed N         this one seed, as it failed
  --seeds N        so many, one after the other (10)
  --first N        from this one on (1)
  --minutes M      begin no other after so long
  --processes P    servers on one PostgreSQL (2); every other seed has one
  --crashes        kill servers, twins and PostgreSQL in about half of the seeds
  --keep-database  but not PostgreSQL
  --at-once K      towns side by side (1)
  --steps, --lives, --people   how large a seed is
  --report         write docs/simulation-report.md`;

const { values } = ordersOf({
  usage: USAGE,
  options: {
    seed: whole({ from: 0 }, null),
    first: whole({ from: 0 }, 1),
    seeds: whole({ from: 1 }, 10),
    minutes: decimal({ from: 0.01 }, 600),
    processes: whole({ from: 1, to: 16 }, 2),
    crashes: flag(),
    'keep-database': flag(),
    'at-once': whole({ from: 1, to: 64 }, 1),
    steps: whole({ from: 1 }, null),
    lives: whole({ from: 1 }, null),
    people: whole({ from: 1 }, null),
    report: flag(),
  },
});

const lock = values.report ? lockReport(path.join(ROOT, 'node_modules/.cache/simulation-report.lock')) : null;
if (values.report && !lock) {
  console.error('Another run writes the report. Wait for its end, or run without --report.');
  process.exit(1);
}

await runTidily(async (cleanUp) => {
  cleanUp.defer(() => lock?.release());
  // Everything that is made goes here, so an interrupted run leaves nothing.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-simulate-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  await chmod(folder, 0o711);
  process.env.TMPDIR = folder;
  process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/holdfast-tests');
  const postgres = await stopAfterwards(cleanUp, startTestPostgres());
  cleanUp.defer(killAll);
  process.env.TEST_POSTGRES = JSON.stringify(await prepareTemplate(postgres.connection));
  // Loaded now: the databases of the towns are made in the PostgreSQL that was just started.
  const { simulate } = await import('../tools/simulation/many-seeds.ts');
  const isWhole = await simulate({
    seeds: values.seed === null ? rangeOf(values.first, values.seeds) : [values.seed],
    ...{ minutes: values.minutes, processes: values.processes, crashes: values.crashes },
    databases: values.crashes && !values['keep-database'],
    atOnce: values['at-once'],
    size: sizeOf(),
    report: values.report ? path.join(ROOT, 'docs/simulation-report.md') : null,
    command: `npm run simulate -- ${process.argv.slice(2).join(' ')}`,
  });
  process.exitCode = isWhole ? 0 : 1;
});

function rangeOf(first: number, length: number): number[] {
  return Array.from({ length }, (_, at) => first + at);
}

function sizeOf(): { steps?: number; lives?: number; people?: number } {
  const sizes = ['steps', 'lives', 'people'] as const;
  return Object.fromEntries(sizes.flatMap((name) => (values[name] === null ? [] : [[name, values[name]]])));
}
