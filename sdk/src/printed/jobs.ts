// What these routes take and give.
// Printed from contract/src/api/jobs.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type JobReport = {
  name: string;
  /** What the job does. */
  purpose: string;
  /** Cron expression, in UTC. */
  schedule: string;
  /** When the last run ended, on any server; null when unknown. */
  lastRunAt: string | null;
  /** Outcome of the last run. */
  lastOutcome: 'succeeded' | 'failed' | null;
  /** Why the last run failed, when it ran on this server. */
  lastProblem: string | null;
  /** Runs on any server that failed after all retries since this server started. */
  failedRuns: number;
};

export type ListJobsResult = {
  jobs: JobReport[];
};
