// The schedule of all jobs as cron expressions in UTC. They are in one place to show which jobs run at the same time.

export const SCHEDULES = {
  'activate-wallets': '* * * * *',
  'adopt-transactions': '* * * * *',
  'analyse-tables': '*/5 * * * *',
  'check-alerts': '* * * * *',
  'check-proof': '*/5 * * * *',
  'clear-login-attempts': '*/10 * * * *',
  'clear-out': '*/10 * * * *',
  'expire-withdrawals': '* * * * *',
  'find-lost-payouts': '* * * * *',
  'finish-project-escrows': '* * * * *',
  'mail-alerts': '* * * * *',
  'poll-escrows': '* * * * *',
  // At the hour of PROOF_FULL_HOUR; this is its default.
  'prove-fully': '7 3 * * *',
  reconcile: '*/10 * * * *',
  'refresh-topups': '* * * * *',
  'refresh-withdrawals': '* * * * *',
  'reseal-secrets': '* * * * *',
  'resume-approvals': '* * * * *',
  'resume-float-transfers': '* * * * *',
  'resume-operations': '* * * * *',
  'resume-transactions': '* * * * *',
  'retry-webhooks': '* * * * *',
  'seal-closings': '23 1 * * *',
  'sweep-fees': '3-59/10 * * * *',
} as const;

type JobName = keyof typeof SCHEDULES;

/** The name and the schedule of a job, to spread into its declaration. */
export const scheduled = (name: JobName): { name: JobName; schedule: string } => ({ name, schedule: SCHEDULES[name] });
