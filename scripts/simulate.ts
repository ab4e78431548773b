// Runs simulated marketplaces against the real server and the twins: one seed, or as many as the time allows, with a display
// of how far it is. Writes what was really run to docs/simulation-report.md when it is told to.

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { killPrograms } from '../tests/simulation/programs.ts';
import { lockReport } from '../tests/simulation/report-lock.ts';
import { prepareTemplate, startTestPostgres } from '../tests/support/template.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    first: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '600' },
    processes: { type: 'string', default: '2' },
    crashes: { type: 'boolean', default: false },
    'keep-database': { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '1' },
    steps: { type: 'string' },
    lives: { type: 'string' },
    people: { type: 'string' },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const HELP = `npm run simulate -- [options]
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

if (values.help) {
  console.log(HELP);
  process.exit(0);
}

const lock = values.report ? lockReport(path.join(ROOT, 'node_modules/.cache/simulation-report.lock')) : null;
if (values.report && !lock) {
  console.error('Another run writes the report. Wait for its end, or run without --report.');
  process.exit(1);
}

// Everything that is made goes here, so an interrupted run leaves nothing.
const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-simulate-'));
await chmod(folder, 0o711);
process.env.TMPDIR = folder;
process.env.NODE_COMPILE_CACHE ??= path.join(ROOT, 'node_modules/.cache/holdfast-tests');
const postgres = await startTestPostgres();
const putAway = async (): Promise<void> => {
  lock?.release();
  killPrograms();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void putAway().finally(() => process.exit(1)));
}
try {
  process.env.TEST_POSTGRES = JSON.stringify(await prepareTemplate(postgres.connection));
  // Loaded now: the databases of the towns are made in the PostgreSQL that was just started.
  const { simulate } = await import('../tests/simulation/many-seeds.ts');
  const isWhole = await simulate({
    seeds: values.seed === undefined ? rangeOf(Number(values.first), Number(values.seeds)) : [Number(values.seed)],
    minutes: Number(values.minutes),
    processes: Number(values.processes),
    crashes: values.crashes,
    databases: values.crashes && !values['keep-database'],
    atOnce: Number(values['at-once']),
    size: sizeOf(),
    report: values.report ? path.join(ROOT, 'docs/simulation-report.md') : null,
    command: `npm run simulate -- ${process.argv.slice(2).join(' ')}`,
  });
  process.exitCode = isWhole ? 0 : 1;
} finally {
  await putAway();
}

function rangeOf(first: number, length: number): number[] {
  return Array.from({ length }, (_, at) => first + at);
}

function sizeOf(): { steps?: number; lives?: number; people?: number } {
  const sizes = ['steps', 'lives', 'people'] as const;
  return Object.fromEntries(sizes.flatMap((name) => (values[name] ? [[name, Number(values[name])]] : [])));
}
