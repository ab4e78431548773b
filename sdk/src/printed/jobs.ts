// What these routes take and give.
// Printed from contract/src/api/jobs.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type JobReport = {
  name: string;
  /** What it does. */
  purpose: string;
  /** Cron, in UTC. */
  schedule: string;
  /** When it last ended, on whichever server; null when that is not known. */
  lastRunAt: string | null;
  /** How it ended then. */
  lastOutcome: 'succeeded' | 'failed' | null;
  /** Why it failed, when it failed on this server. */
  lastProblem: string | null;
  /** Runs since this server started that failed and were given up, retries included, on whichever server. */
  failedRuns: number;
};

export type ListJobsResult = {
  jobs: JobReport[];
};
