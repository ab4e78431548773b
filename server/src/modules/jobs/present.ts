// The jobs as the API shows them: what each does, in a sentence for operators, and the result of its last run. Of the last run in this
// process and the last run in the queue, the later one is shown.

import { formatInstant } from '../../base/instant.ts';
import type { JobRun } from './queries.ts';

export const JOB_PURPOSES: Readonly<Record<string, string>> = {
  'activate-wallets': 'Activates new wallets on the ledger.',
  'adopt-transactions': 'Compares our wallets with the ledger, and books transactions that the database does not know.',
  'analyse-tables': 'Gives large tables statistics that have none, as after a restore, so that reads stay fast.',
  'check-alerts': 'Opens and closes alerts, and emits their events.',
  'check-proof': 'Proves the books of every marketplace from its last checkpoint and stores the result.',
  'clear-login-attempts': 'Deletes counts of failed logins whose window is over.',
  'clear-out': 'Deletes expired events and expired stored answers.',
  'expire-withdrawals': 'Returns the money of expired withdrawals that were not committed.',
  'find-lost-payouts': 'While payments are on hold, finds payouts at the payment provider that the books do not know.',
  'finish-project-escrows': 'Continues or cancels interrupted setups of project escrows.',
  'mail-alerts': 'Sends e-mails about alerts that were opened or closed.',
  'poll-escrows': 'Polls the escrow provider for the status of open escrows.',
  'prove-fully': 'Proves the books of every marketplace from every posting, and compares its checkpoint with them.',
  reconcile: 'Compares the books with the ledger, the escrow contracts and the payment provider.',
  'refresh-topups': 'Polls the payment provider for the status of pending top-ups.',
  'refresh-withdrawals': 'Polls for the status of withdrawals that are being paid.',
  'reseal-secrets': 'Seals secrets again after the key-encryption key was changed.',
  'resume-approvals': 'Continues approved requests that a crash or a silent provider left open.',
  'resume-float-transfers': 'Continues interrupted transfers of float between marketplaces.',
  'resume-operations': 'Retries interrupted operations of orders.',
  'resume-transactions': 'Reads the outcome of submitted ledger transactions and settles them.',
  'retry-webhooks': 'Checks signed escrow webhooks again that could not be checked before.',
  'seal-closings': 'Seals the figures of months that have ended.',
  'sweep-fees': "Moves the platform's fees from its wallet to the treasury.",
};

export type KnownJob = {
  readonly name: string;
  readonly schedule: string;
};

/** The last run in this process; `lastRunAt` is in milliseconds. */
export type OwnRun = { readonly name: string; readonly lastRunAt: number | null; readonly lastError: string | null };

/** `own` is the last run in this process, `queued` the last run on any server. */
type LastRuns = { readonly own: OwnRun | undefined; readonly queued: JobRun | undefined };

const outcome = (succeeded: boolean) => (succeeded ? ('succeeded' as const) : ('failed' as const));

export const presentJob = ({ name, schedule }: KnownJob, { own, queued }: LastRuns) => {
  const ownAt = own && own.lastRunAt !== null ? formatInstant(own.lastRunAt * 1_000) : null;
  const isOwnLater = ownAt !== null && (!queued || ownAt >= queued.endedAt);
  const succeeded = isOwnLater ? own?.lastError === null : (queued?.succeeded ?? null);
  return {
    name,
    purpose: JOB_PURPOSES[name] ?? '',
    schedule,
    lastRunAt: isOwnLater ? ownAt : (queued?.endedAt ?? null),
    lastOutcome: succeeded === null ? null : outcome(succeeded),
    lastProblem: succeeded === false ? (own?.lastError ?? null) : null,
    failedRuns: queued?.failedRuns ?? 0,
  };
};
