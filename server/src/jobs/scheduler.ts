// Work that nobody waits for, on pg-boss in our own database: each job runs in one process at a time, whichever has it.
// A job must be safe to run twice and must bound what it does in one go.

import { setTimeout as pause } from 'node:timers/promises';
import { type ConstructorOptions, PgBoss, type QueueResult } from 'pg-boss';
import type { Connection } from '../postgres/connection.ts';

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

const STOP_WAIT_MS = 5_000;
/** All begin by the minute at the soonest, and each process asks for each job so often. */
const TURN = { pollingIntervalSeconds: 5 } as const;
/** A worker that is silent for so many seconds is gone, and its job is anybody's again. */
const PATIENCE = { retryLimit: 3, retryBackoff: true, heartbeatSeconds: 15 } as const;

/**
 * Goes on evenly whatever happens to the wall clock: with that one set back by five hours, no job would begin for five hours.
 * How far it is from the database's clock is found out by the queue itself.
 */
const STEADY_CLOCK = {
  now: () => performance.timeOrigin + performance.now(),
  setTimeout: (work: () => void, ms: number) => setTimeout(work, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work: () => void, ms: number) => setInterval(work, ms),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
};

const openBoss = (
  { connection, onError }: Pick<Options, 'connection' | 'onError'>,
  options: ConstructorOptions = {},
) => {
  const boss = new PgBoss({
    ...(connection as object),
    ...{ application_name: 'holdfast-jobs', schema: 'pgboss', max: 1, clock: STEADY_CLOCK, ...options },
  });
  boss.on('error', (error) => onError('the job queue reported an error', error));
  return boss;
};

type Listed = Pick<Job, 'name' | 'schedule'>;

const isPatient = (queue: QueueResult): boolean =>
  Object.entries(PATIENCE).every(([name, value]) => queue[name as keyof typeof PATIENCE] === value);

/** Writes only what differs from what an earlier start left: three statements for each job otherwise, at every start. */
const enlist = async (boss: PgBoss, jobs: readonly Listed[]): Promise<void> => {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const { name, schedule } of jobs) {
    const queue = queues.get(name);
    if (!queue) await boss.createQueue(name, { policy: 'singleton', ...PATIENCE });
    // One that an earlier version made keeps its own patience otherwise.
    else if (!isPatient(queue)) await boss.updateQueue(name, PATIENCE);
    if (schedules.get(name) !== schedule) await boss.schedule(name, schedule);
  }
};

/** The queues of these jobs, without anybody who works. */
export const prepareQueues = async ({ jobs, ...options }: Omit<Options, 'jobs'> & { jobs: readonly Listed[] }) => {
  const boss = openBoss(options, { schedule: false, supervise: false });
  await boss.start();
  await enlist(boss, jobs);
  await boss.stop({ graceful: false });
};

export const startNightShift = async ({ connection, jobs, onError }: Options): Promise<NightShift> => {
  const boss = openBoss({ connection, onError });
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
  await enlist(boss, jobs);
  for (const job of jobs) await boss.work(job.name, TURN, () => run(job));
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
