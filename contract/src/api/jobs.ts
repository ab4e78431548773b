// The night shift: work that nobody waits for.

import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Nullable, Timestamp } from './fields.ts';

export const JobReport = Type.Object({
  name: Type.String({ examples: ['check-proof'] }),
  purpose: Type.String({ description: 'What it does.', examples: ['Proves the books of every marketplace.'] }),
  schedule: Type.String({ description: 'Cron, in UTC.', examples: ['*/5 * * * *'] }),
  lastRunAt: Nullable(Timestamp('When it last ended, on whichever server; null when that is not known.')),
  lastOutcome: Nullable(Type.Enum(['succeeded', 'failed'] as const, { description: 'How it ended then.' })),
  lastProblem: Nullable(Type.String({ description: 'Why it failed, when it failed on this server.' })),
  failedRuns: Type.Integer({
    description: 'Runs since this server started that failed and were given up, retries included, on whichever server.',
    examples: [0],
  }),
});

export const listJobs = endpoint({
  method: 'GET',
  path: '/jobs',
  access: 'support',
  tag: 'Service',
  summary: 'Scheduled jobs',
  description: 'What this service does by itself, for all marketplaces together, and how it last went.',
  status: 200,
  wrapping: 'plain',
  data: Type.Object({ jobs: Type.Array(JobReport) }),
  errors: [],
});
