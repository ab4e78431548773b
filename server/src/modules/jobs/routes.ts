// The route of the scheduled jobs.

import { listJobs } from '@holdfast/contract/api/jobs.ts';
import { type Route, read } from '../../http/route.ts';
import { type KnownJob, type OwnRun, presentJob } from './present.ts';
import type { JobRunReads } from './queries.ts';

type Parts = {
  /** `report`: the last run of each job in this process; null before the jobs start. */
  readonly scheduler: { readonly jobs: readonly KnownJob[]; report(): readonly OwnRun[] | null };
  readonly runs: JobRunReads;
  readonly startedAt: string;
};

export const jobRoutes = ({ scheduler, runs, startedAt }: Parts): Route[] => [
  read(listJobs, async () => {
    const own = scheduler.report() ?? [];
    const queued = await runs.last(startedAt);
    return {
      jobs: scheduler.jobs.map((job) =>
        presentJob(job, {
          own: own.find(({ name }) => name === job.name),
          queued: queued.find(({ name }) => name === job.name),
        }),
      ),
    };
  }),
];
