// Runs jobs on a schedule with pg-boss in our own database. Each job runs in one process at a time. A job must be safe to run twice
// and must limit how much it does in one run.

import { type ConstructorOptions, PgBoss, type QueueResult } from 'pg-boss';
import { createQueues } from '../base/one-at-a-time.ts';
import { within } from '../base/wait.ts';
import type { Connection } from '../postgres/connection.ts';

export type Job = {
  readonly name: string;
  /** Cron, in UTC. */
  readonly schedule: string;
  /** Also run once when a server starts, even while another process runs the job. */
  readonly atStart?: boolean;
  run(): Promise<void>;
};

type JobReport = {
  readonly name: string;
  readonly lastRunAt: number | null;
  readonly lastError: string | null;
};

export type Scheduler = {
  readonly jobs: readonly Job[];
  /** The last run of each job in this process; null before the start. */
  report(): JobReport[] | null;
  /**
   * Runs the job in this process without waiting for its schedule. Its report says how it ended. While such a run lasts, at most one more
   * waits for its end, however often this is called.
   */
  runNow(name: string): void;
  start(): Promise<void>;
  stop(): Promise<void>;
};

type Options = {
  readonly connection: Connection;
  readonly jobs: readonly Job[];
  /** How long the record of a finished job is kept; a week unless another time is given. */
  readonly keepFinishedMs?: number;
  onError(message: string, error: unknown): void;
};

const STOP_WAIT_MS = 5_000;
/** How often a process checks whether a job is due. No schedule is shorter than a minute. */
const WORK = { pollingIntervalSeconds: 5 } as const;
/** A worker without a heartbeat for this time is considered dead, and another process may run its job. */
const RETRIES = { retryLimit: 3, retryBackoff: true, heartbeatSeconds: 15 } as const;

/**
 * A clock that does not follow changes of the wall clock: with the wall clock set back by five hours, no job would start for five
 * hours. pg-boss measures the difference to the database's clock itself.
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
    application_name: 'holdfast-jobs',
    schema: 'pgboss',
    max: 1,
    clock: STEADY_CLOCK,
    ...options,
  });
  boss.on('error', (error) => onError('the job queue reported an error', error));
  return boss;
};

type Listed = Pick<Job, 'name' | 'schedule'>;

const WEEK_MS = 7 * 24 * 3_600_000;

const queueOptions = (keepFinishedMs = WEEK_MS) => ({ ...RETRIES, deleteAfterSeconds: keepFinishedMs / 1_000 });

type QueueOptions = ReturnType<typeof queueOptions>;

const hasOptions = (queue: QueueResult, options: QueueOptions): boolean =>
  Object.entries(options).every(([name, value]) => queue[name as keyof QueueOptions] === value);

/** Writes only what differs from the stored queues and schedules. Writing all would be three statements per job at every start. */
const enlist = async (
  boss: PgBoss,
  { jobs, keepFinishedMs }: { jobs: readonly Listed[]; keepFinishedMs?: number | undefined },
): Promise<void> => {
  const options = queueOptions(keepFinishedMs);
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
  for (const { name, schedule } of jobs) {
    const queue = queues.get(name);
    if (!queue) await boss.createQueue(name, { policy: 'singleton', ...options });
    // A queue of an earlier version keeps its old settings otherwise.
    else if (!hasOptions(queue, options)) await boss.updateQueue(name, options);
    if (schedules.get(name) !== schedule) await boss.schedule(name, schedule);
  }
};

/** Creates the queues of these jobs without a worker. */
export const prepareQueues = async ({ jobs, ...options }: Omit<Options, 'jobs'> & { jobs: readonly Listed[] }) => {
  const boss = openBoss(options, { schedule: false, supervise: false });
  await boss.start();
  await enlist(boss, { jobs });
  await boss.stop({ graceful: false });
};

/** Runs the jobs in this process and remembers how each last run ended. */
const createRuns = (jobs: readonly Job[], onError: Options['onError']) => {
  const reports = new Map<string, JobReport>(
    jobs.map(({ name }) => [name, { name, lastRunAt: null, lastError: null }]),
  );
  const running = new Set<Promise<void>>();
  let isStopping = false;

  const runOnce = async (job: Job): Promise<void> => {
    let lastError: string | null = null;
    try {
      await job.run();
    } catch (error) {
      lastError = error instanceof Error ? error.message : String(error);
      onError(`the job ${job.name} failed and will be retried`, error);
      throw error;
    } finally {
      reports.set(job.name, { name: job.name, lastRunAt: Date.now(), lastError });
    }
  };

  return {
    report: (): JobReport[] => [...reports.values()],
    run(job: Job): Promise<void> {
      if (isStopping) return Promise.reject(new Error('the server is stopping'));
      const run = runOnce(job).finally(() => running.delete(run));
      running.add(run);
      return run;
    },
    /** Waits for running jobs, at most for STOP_WAIT_MS. pg-boss checks only every half second whether they have ended. */
    async stop(): Promise<void> {
      isStopping = true;
      await within(Promise.allSettled(running), { ms: STOP_WAIT_MS, late: () => {} });
    },
  };
};

export const createScheduler = ({ connection, jobs, keepFinishedMs, onError }: Options): Scheduler => {
  const runs = createRuns(jobs, onError);
  const queues = createQueues();
  const waiting = new Set<string>();
  let boss: PgBoss | null = null;
  return {
    jobs,
    report: () => (boss ? runs.report() : null),
    runNow(name) {
      const job = jobs.find((one) => one.name === name);
      if (!job || waiting.has(name)) return;
      waiting.add(name);
      const run = (): Promise<void> => {
        waiting.delete(name);
        return runs.run(job);
      };
      queues.run(name, run).catch(() => {});
    },
    async start() {
      const started = openBoss({ connection, onError });
      await started.start();
      await enlist(started, { jobs, keepFinishedMs });
      for (const job of jobs) await started.work(job.name, WORK, () => runs.run(job));
      // Not through the queue: after a crash the queue may still list the last run as active.
      for (const job of jobs) if (job.atStart) runs.run(job).catch(() => {});
      boss = started;
    },
    async stop() {
      await runs.stop();
      await boss?.stop({ graceful: false });
    },
  };
};
