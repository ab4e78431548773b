// Work that nobody waits for, on pg-boss in our own database: each job runs in one process at a time, whichever has it.
// A job must be safe to run twice and must bound what it does in one go.

import { PgBoss } from 'pg-boss';
import type { Connection } from '../store/connection.ts';

export type Job = {
  readonly name: string;
  /** Cron, in UTC. */
  readonly schedule: string;
  /** Also once at start, so that a fresh server does not wait for the hour. */
  readonly atStart?: boolean;
  run(): Promise<void>;
};

export type NightShift = {
  /** What each job last did here. */
  report(): { name: string; lastRunAt: number | null; lastError: string | null }[];
  stop(): Promise<void>;
};

type Options = {
  readonly connection: Connection;
  readonly jobs: readonly Job[];
  onError(message: string, error: unknown): void;
};

const RETRIES = 3;

export const startNightShift = async ({ connection, jobs, onError }: Options): Promise<NightShift> => {
  const boss = new PgBoss({ ...(connection as object), application_name: 'holdfast-jobs', schema: 'pgboss', max: 2 });
  boss.on('error', (error) => onError('the job queue reported an error', error));
  await boss.start();

  const state = new Map(
    jobs.map((job) => [job.name, { lastRunAt: null as number | null, lastError: null as string | null }]),
  );
  for (const job of jobs) {
    await boss.createQueue(job.name, { policy: 'singleton', retryLimit: RETRIES, retryBackoff: true });
    await boss.schedule(job.name, job.schedule);
    await boss.work(job.name, async () => {
      const seen = state.get(job.name)!;
      try {
        await job.run();
        seen.lastError = null;
      } catch (error) {
        seen.lastError = error instanceof Error ? error.message : String(error);
        onError(`the job ${job.name} failed and will be tried again`, error);
        throw error;
      } finally {
        seen.lastRunAt = Date.now();
      }
    });
    if (job.atStart) await boss.send(job.name);
  }

  return {
    report: () => [...state].map(([name, seen]) => ({ name, ...seen })),
    stop: () => boss.stop({ graceful: true, timeout: 5_000 }),
  };
};
