// The route of the scheduled jobs.

import { listJobs } from '@holdfast/contract/api/jobs.ts';
import { type Route, read } from '../../http/route.ts';
import { type KnownJob, presentJob, type SeenRun } from './present.ts';
import type { JobRunReads } from './queries.ts';

type Parts = {
  /** `report`: the last run of each job in this process; null before the jobs start. */
  readonly scheduler: { readonly jobs: readonly KnownJob[]; report(): readonly SeenRun[] | null };
  readonly runs: JobRunReads;
  readonly startedAt: string;
};

export const jobRoutes = ({ scheduler, runs, startedAt }: Parts): Route[] => [
  read(listJobs, async () => {
    const seen = scheduler.report() ?? [];
    const kept = await runs.last(startedAt);
    return {
      jobs: scheduler.jobs.map((job) =>
        presentJob(job, {
          seen: seen.find(({ name }) => name === job.name),
          kept: kept.find(({ name }) => name === job.name),
        }),
      ),
    };
  }),
];
