// Runs seed after seed, several environments side by side if asked to, shows how far it is, and gives the figures of what was really
// run. A seed that fails is told with its command and does not stop the others.

import { readFile, writeFile } from 'node:fs/promises';
import { LONG, type Size } from './plan.ts';
import { reportOf } from './report.ts';
import { type Figures, runSeed } from './run-seed.ts';

export type Simulation = {
  readonly seeds: readonly number[];
  /** No other seed begins after so long. */
  readonly minutes: number;
  readonly processes: number;
  readonly crashes: boolean;
  /** Whether PostgreSQL is killed too. */
  readonly databases: boolean;
  /** Whether some seeds end with the restore of a backup. */
  readonly restores: boolean;
  /** Whether the past is archived while the marketplaces live. */
  readonly archives: boolean;
  readonly atOnce: number;
  /** Only these faults; see the plan. */
  readonly faults?: readonly string[];
  readonly size: Partial<Size>;
  /** Where the report goes; null for none. */
  readonly report: string | null;
  readonly command: string;
};

export type Run = {
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly figures: readonly Figures[];
  readonly failures: readonly { readonly seed: number; readonly told: string }[];
};

const sum = (figures: readonly Figures[], of: (one: Figures) => number): number =>
  figures.reduce((all, one) => all + of(one), 0);

const lineOf = (one: Figures): string =>
  [
    `seed ${one.seed}: ${one.scenarios} scenarios (${one.orders} orders), ${one.steps} steps, ${one.faults} faults`,
    `${one.serverCrashes + one.simulatorsCrashes + one.databaseCrashes} crashes, ${one.restores} restores, ${one.archives} archives`,
    `${one.checks} checks, ${one.events} events, ${one.deadlines} deadlines, ${one.previews} dry runs`,
    `${one.calls.acknowledged}/${one.calls.refused}/${one.calls.unknown} calls`,
    ...Object.entries(one.attempts).map(
      ([name, { acknowledged, refused, unknown }]) => `${name} ${acknowledged}/${refused}/${unknown}`,
    ),
    `${Math.round(one.durationMs / 1_000)} s`,
  ].join(', ');

const totalOf = ({ figures, failures }: Pick<Run, 'figures' | 'failures'>): string =>
  [
    `${figures.length} seeds whole, ${failures.length} failed`,
    `${sum(figures, ({ scenarios }) => scenarios)} scenarios`,
    `${sum(figures, ({ faults }) => faults)} faults struck`,
    `${sum(figures, (one) => one.serverCrashes + one.simulatorsCrashes + one.databaseCrashes)} crashes`,
    `${sum(figures, ({ restores }) => restores)} restores`,
    `${sum(figures, ({ checks }) => checks)} checks`,
  ].join(' · ');

/** One line that is written over on a terminal, and left out elsewhere. */
const show = (text: string): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${text}`);
};

const say = (text: string): void => {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K');
  process.stdout.write(`${text}\n`);
};

export const simulate = async (simulation: Simulation): Promise<boolean> => {
  const { processes, crashes, databases, restores, archives, faults } = simulation;
  const size = { ...LONG, ...simulation.size };
  const startedAt = new Date();
  const lastBegin = startedAt.getTime() + simulation.minutes * 60_000;
  const figures: Figures[] = [];
  const failures: { seed: number; told: string }[] = [];
  const queue = simulation.seeds.values();
  const write = async (): Promise<void> => {
    if (simulation.report === null) return;
    const run = { startedAt, endedAt: new Date(), figures, failures };
    const earlier = await readFile(simulation.report, 'utf8').catch(() => '');
    await writeFile(simulation.report, reportOf(run, { simulation, earlier }));
  };

  const worker = async (): Promise<void> => {
    for (const seed of queue) {
      if (Date.now() > lastBegin) return;
      try {
        const onProgress = (now: { seed: number; step: string; scenarios: number }): void =>
          show(`${totalOf({ figures, failures })} · seed ${now.seed}, ${now.step}, ${now.scenarios} scenarios`);
        const one = await runSeed(seed, {
          size,
          processes,
          crashes,
          databases,
          restores,
          archives,
          ...(faults ? { faults } : {}),
          onProgress,
        });
        figures.push(one);
        say(lineOf(one));
      } catch (error) {
        const told = error instanceof Error ? error.message : String(error);
        failures.push({ seed, told });
        say(told);
      }
      await write();
    }
  };
  await Promise.all(Array.from({ length: simulation.atOnce }, worker));
  say(totalOf({ figures, failures }));
  return failures.length === 0;
};
