// Scheduled jobs: work that runs in the background.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Nullable, Timestamp } from './fields.ts';

export const JobReport = Type.Object({
  name: Type.String({ examples: ['check-proof'] }),
  purpose: Type.String({ description: 'What the job does.', examples: ['Checks the balances of every marketplace.'] }),
  schedule: Type.String({ description: 'Cron expression, in UTC.', examples: ['*/5 * * * *'] }),
  lastRunAt: Nullable(Timestamp('When the last run ended, on any server; null when unknown.')),
  lastOutcome: Nullable(Type.Enum(['succeeded', 'failed'] as const, { description: 'Outcome of the last run.' })),
  lastProblem: Nullable(Type.String({ description: 'Why the last run failed, when it ran on this server.' })),
  failedRuns: Type.Integer({
    description: 'Runs on any server that failed after all retries since this server started.',
    examples: [0],
  }),
});

export const listJobs = endpoint({
  method: 'GET',
  path: '/jobs',
  access: 'support',
  tag: 'Service',
  summary: 'Scheduled jobs',
  description: 'Background jobs of the service, for all marketplaces, with the outcome of the last run.',
  status: 200,
  wrapping: 'plain',
  data: Type.Object({ jobs: Type.Array(JobReport) }),
  errors: [],
});
