// Reads the last run of each job on any server from the tables of the job queue. Runs that did not use the queue, such as those at the
// start of a server, are not in these tables.

import type pg from 'pg';

export type JobRun = {
  readonly name: string;
  readonly endedAt: string;
  readonly succeeded: boolean;
  /** Runs since the requested time that failed after the last retry. */
  readonly failedRuns: number;
};

// The queue stores the runs of some days, a few rows per minute. One statement reads them for all jobs.
const LAST_RUNS = `select name, max(completed_on) as "endedAt",
    (array_agg(state::text order by completed_on desc))[1] = 'completed' as succeeded,
    (count(*) filter (where state = 'failed' and completed_on >= $1))::integer as "failedRuns"
  from pgboss.job where completed_on is not null and state in ('completed', 'failed') group by name`;

export const createJobRunReads = (pool: pg.Pool) => ({
  async last(since: string): Promise<JobRun[]> {
    return (await pool.query<JobRun>(LAST_RUNS, [since])).rows;
  },
});

export type JobRunReads = ReturnType<typeof createJobRunReads>;
