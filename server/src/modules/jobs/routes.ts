// The routes of the scheduled jobs.

import { listJobs, retryJob } from '@holdfast/contract/api/jobs.ts';
import { DomainError } from '../../base/domain-error.ts';
import { command, runCommand, type Submit } from '../../commit/command.ts';
import { act, type Route, read } from '../../http/route.ts';
import { type KnownJob, type OwnRun, presentJob } from './present.ts';
import type { JobRunReads } from './queries.ts';

type Parts = {
  readonly submit: Submit;
  /** `report`: the last run of each job in this process; null before the jobs start. */
  readonly scheduler: {
    readonly jobs: readonly KnownJob[];
    report(): readonly OwnRun[] | null;
    runNow(name: string): void;
  };
  readonly runs: JobRunReads;
  readonly startedAt: string;
};

type JobReport = ReturnType<typeof presentJob>;

/** Jobs have no rows of their own: the audit trail is all that shows who had one run again. */
const recordRetry = command<JobReport, void>({
  name: 'note-job-retry',
  needs: () => ({}),
  decide({ name, lastRunAt, lastProblem }, work) {
    work.audit({ action: 'JOB_RETRIED', resourceType: 'Job', resourceId: name, before: { lastRunAt, lastProblem } });
  },
});

const notFailed = ({ name, lastOutcome }: JobReport): DomainError =>
  new DomainError('INVALID_STATE', {
    message: `The last run of the job ${name} did not fail. It runs again on its schedule.`,
    details: { currentState: lastOutcome ?? 'not run yet', allowedActions: [] },
  });

export const jobRoutes = ({ submit, scheduler, runs, startedAt }: Parts): Route[] => {
  const listed = async (): Promise<JobReport[]> => {
    const own = scheduler.report() ?? [];
    const queued = await runs.last(startedAt);
    return scheduler.jobs.map((job) =>
      presentJob(job, {
        own: own.find(({ name }) => name === job.name),
        queued: queued.find(({ name }) => name === job.name),
      }),
    );
  };

  return [
    read(listJobs, async () => ({ jobs: await listed() })),
    act(retryJob, async ({ params, context }) => {
      const job = (await listed()).find(({ name }) => name === params.name);
      if (!job) throw new DomainError('JOB_NOT_FOUND');
      if (job.lastOutcome !== 'failed') throw notFailed(job);
      await runCommand(submit, { command: recordRetry, input: job, context });
      scheduler.runNow(job.name);
      return job;
    }),
  ];
};
