// The jobs as the wire shows them: what each does, in words for people, and how it last went. What this server saw itself
// and what the queue keeps are told as one, the later of the two.

import { formatInstant } from '../../base/instant.ts';

export const JOB_PURPOSES: Readonly<Record<string, string>> = {
  'activate-wallets': 'Brings new wallets to life on the ledger.',
  'check-proof': 'Proves the books of every marketplace and keeps the result.',
  'clear-login-attempts': 'Forgets failed logins whose time is over.',
  'clear-out': 'Throws away events and stored answers that have outlived their promise.',
  'expire-withdrawals': 'Gives back the money of withdrawals that were never committed.',
  'finish-project-escrows': 'Finishes or calls off escrows of projects that were left half done.',
  'poll-escrows': 'Asks the escrow provider what became of open escrows.',
  reconcile: 'Compares the books with the ledger, the escrow contracts and the payment provider.',
  'refresh-topups': 'Asks the payment provider what became of top-ups that are waiting.',
  'refresh-withdrawals': 'Asks what became of withdrawals that are on their way.',
  'resume-operations': 'Takes up operations of orders that were put off.',
  'resume-transactions': 'Finds out what became of transactions that are on their way to the ledger.',
  'sweep-fees': "Brings the platform's fees from its wallet to the treasury.",
};

export type KnownJob = {
  readonly name: string;
  readonly schedule: string;
};

/** What this server saw itself; milliseconds. */
export type SeenRun = { readonly name: string; readonly lastRunAt: number | null; readonly lastError: string | null };

/** What the queue keeps, of all servers. */
export type KeptRun = {
  readonly name: string;
  readonly endedAt: string;
  readonly succeeded: boolean;
  readonly failedRuns: number;
};

type Told = { readonly seen: SeenRun | undefined; readonly kept: KeptRun | undefined };

const outcome = (succeeded: boolean) => (succeeded ? ('succeeded' as const) : ('failed' as const));

export const presentJob = ({ name, schedule }: KnownJob, { seen, kept }: Told) => {
  const seenAt = seen && seen.lastRunAt !== null ? formatInstant(seen.lastRunAt * 1_000) : null;
  const isOwn = seenAt !== null && (!kept || seenAt >= kept.endedAt);
  const succeeded = isOwn ? seen?.lastError === null : (kept?.succeeded ?? null);
  return {
    name,
    purpose: JOB_PURPOSES[name] ?? '',
    schedule,
    lastRunAt: isOwn ? seenAt : (kept?.endedAt ?? null),
    lastOutcome: succeeded === null ? null : outcome(succeeded),
    lastProblem: succeeded === false ? (seen?.lastError ?? null) : null,
    failedRuns: kept?.failedRuns ?? 0,
  };
};
