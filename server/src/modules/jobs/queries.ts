// Reads of the job queue's own tables: how each job last went, on whichever server. It only reads, and knows nothing of
// runs that never went through the queue, such as those at a server's start.

import type pg from 'pg';

export type JobRun = {
  readonly name: string;
  readonly endedAt: string;
  readonly succeeded: boolean;
  /** Given up after the last retry, since the time asked for. */
  readonly failedRuns: number;
};

// The queue keeps some days of its past, a few rows a minute: it is read once, whatever the number of jobs.
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
