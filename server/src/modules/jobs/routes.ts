// The route of the scheduled jobs.

import { listJobs } from '@holdfast/contract/api/jobs.ts';
import { type Route, read } from '../../http/route.ts';
import { type KnownJob, presentJob, type SeenRun } from './present.ts';
import type { JobRunReads } from './queries.ts';

type Parts = {
  /** Asked when it is needed: the jobs start after the routes. */
  jobs(): readonly KnownJob[];
  /** What this server saw itself. */
  report(): readonly SeenRun[];
  readonly runs: JobRunReads;
  readonly startedAt: string;
};

export const jobRoutes = ({ jobs, report, runs, startedAt }: Parts): Route[] => [
  read(listJobs, async () => {
    const [seen, kept] = [report(), await runs.last(startedAt)];
    return {
      jobs: jobs().map((job) =>
        presentJob(job, {
          seen: seen.find(({ name }) => name === job.name),
          kept: kept.find(({ name }) => name === job.name),
        }),
      ),
    };
  }),
];
