// Work that nobody waits for, on pg-boss in our own database: each job runs in one process at a time, whichever has it.
// A job must be safe to run twice and must bound what it does in one go.

import { setTimeout as pause } from 'node:timers/promises';
import { PgBoss } from 'pg-boss';
import type { Connection } from '../store/connection.ts';

export type Job = {
  readonly name: string;
  /** Cron, in UTC. */
  readonly schedule: string;
  /** Also once when a server starts, whoever else may be at it: so that nothing waits for the hour. */
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
const STOP_WAIT_MS = 5_000;
/** A worker that is silent for so long is gone, and its job is anybody's again. */
const HEARTBEAT_S = 15;

export const startNightShift = async ({ connection, jobs, onError }: Options): Promise<NightShift> => {
  const boss = new PgBoss({ ...(connection as object), application_name: 'holdfast-jobs', schema: 'pgboss', max: 2 });
  boss.on('error', (error) => onError('the job queue reported an error', error));
  await boss.start();

  const state = new Map(
    jobs.map((job) => [job.name, { lastRunAt: null as number | null, lastError: null as string | null }]),
  );
  const running = new Set<Promise<void>>();
  let stopped = false;
  const carryOut = async (job: Job): Promise<void> => {
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
  };
  const run = (job: Job): Promise<void> => {
    if (stopped) return Promise.reject(new Error('the server is stopping'));
    const turn = carryOut(job).finally(() => running.delete(turn));
    running.add(turn);
    return turn;
  };
  for (const job of jobs) {
    const patience = { retryLimit: RETRIES, retryBackoff: true, heartbeatSeconds: HEARTBEAT_S };
    await boss.createQueue(job.name, { policy: 'singleton', ...patience });
    // One that an earlier version made keeps its own patience otherwise.
    await boss.updateQueue(job.name, patience);
    await boss.schedule(job.name, job.schedule);
    await boss.work(job.name, () => run(job));
  }
  // Not through the queue: after a crash its last turn may still stand there as being worked on.
  for (const job of jobs) if (job.atStart) run(job).catch(() => {});

  return {
    report: () => [...state].map(([name, seen]) => ({ name, ...seen })),
    async stop() {
      // We know what is at work; the queue's own way of waiting looks only every half second.
      stopped = true;
      await Promise.race([Promise.allSettled(running), pause(STOP_WAIT_MS, null, { ref: false })]);
      await boss.stop({ graceful: false });
    },
  };
};
