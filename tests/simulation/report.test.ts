// The report of the simulation: rows of earlier runs and of earlier generators stay as they are, and only one run writes it.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { Run, Simulation } from '../../tools/simulation/many-seeds.ts';
import { LONG } from '../../tools/simulation/plan.ts';
import { reportOf } from '../../tools/simulation/report.ts';
import { lockReport } from '../../tools/simulation/report-lock.ts';
import type { Figures } from '../../tools/simulation/run-seed.ts';

const FIGURES: Figures = {
  seed: 7,
  scenarios: 100,
  orders: 40,
  steps: 4,
  faults: 9,
  checks: 31,
  events: 900,
  durationMs: 1,
  reconciliations: 2,
  serverCrashes: 1,
  simulatorsCrashes: 2,
  databaseCrashes: 3,
  restores: 1,
  archives: 2,
  archiverCrashes: 1,
  deadlines: 6,
  previews: 5,
  attempts: { 'hint flood': { acknowledged: 9, refused: 4, unknown: 0 } },
  calls: { acknowledged: 300, refused: 20, unknown: 1 },
  webhooks: { delivered: 50, twice: 5, late: 7, repeated: 3, forged: 2 },
};

const SIMULATION: Simulation = {
  seeds: [7],
  minutes: 1,
  processes: 2,
  crashes: true,
  databases: true,
  restores: true,
  archives: true,
  atOnce: 1,
  size: LONG,
  report: null,
  command: 'npm run simulate -- --seed 7',
};

const runAt = (time: string, of: Partial<Run> = {}): Run => {
  const at = new Date(time);
  return { startedAt: at, endedAt: at, figures: [FIGURES], failures: [], ...of };
};

const PAST = '## Earlier generators\n\n| 2026-01-01T00:00:00.000Z | of other columns |\n';

test('a run has one row however often it is written, and all earlier rows stay', () => {
  let page = `# Simulation report\n\n${PAST}`;
  const write = (run: Run): void => {
    page = reportOf(run, { simulation: SIMULATION, earlier: page });
  };
  write(runAt('2026-02-01T00:00:00Z', { figures: [] }));
  write(runAt('2026-02-01T00:00:00Z'));
  write(runAt('2026-02-02T00:00:00Z', { failures: [{ seed: 8, told: 'seed 8 failed at the end' }] }));
  const rows = page.split('\n').filter((line) => line.startsWith('| 2026-02-'));
  assert.equal(rows.length, 2);
  assert.match(page, /^\| \*\*all\*\* \| {2}\| {2}\| {2}\| 200 \| 80 \| 8 \|/m);
  assert.match(page, /## Seed 8 failed in the last run\n\n```\nseed 8 failed at the end/);
  assert.ok(page.endsWith(PAST), 'runs of earlier generators are neither counted nor changed');
});

test('a second run that would write the report is refused until the first has ended', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-report-'));
  const file = path.join(folder, 'cache/report.lock');
  const first = lockReport(file);
  assert.deepEqual([first !== null, lockReport(file)], [true, null]);
  first!.release();
  const second = lockReport(file);
  assert.ok(second);
  second.release();
  await rm(folder, { recursive: true });
});
