// The health checks of the parts. Each reports its state and what to do in one sentence. None names an address or a secret.

import type pg from 'pg';
import type { ProofSummary } from '../books/checkpoints.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { Probe, ProbeResult } from './health.ts';

const STALE_PROOF_MS = 15 * 60_000;

export const databaseProbe = (pool: pg.Pool): Probe => ({
  name: 'database',
  async check() {
    await pool.query('select 1');
    return { status: 'ok', detail: `${pool.totalCount} connections, ${pool.waitingCount} waiting.` };
  },
});

export const committerProbe = (committer: { readonly queued: number }, queueMax: number): Probe => ({
  name: 'committer',
  check: () => ({
    status: committer.queued > queueMax / 2 ? 'degraded' : 'ok',
    detail: `${committer.queued} of at most ${queueMax} commands waiting.`,
  }),
});

export const jobsProbe = (scheduler: Pick<Scheduler, 'report'>): Probe => ({
  name: 'jobs',
  check() {
    const report = scheduler.report();
    if (!report) return { status: 'degraded', detail: 'Not started yet.' };
    const failing = report.filter((job) => job.lastError !== null).map((job) => job.name);
    return failing.length === 0
      ? { status: 'ok', detail: `${report.length} jobs on schedule.` }
      : { status: 'degraded', detail: `Failing: ${failing.join(', ')}. See the log.` };
  },
});

export const proofProbe = (summary: () => Promise<ProofSummary>): Probe => ({
  name: 'proof',
  async check() {
    const { marketplaces, failing, oldestAt } = await summary();
    if (failing.length > 0) {
      return {
        status: 'down',
        detail: `Marketplaces whose books do not add up: ${failing.length}. See /api/v1/audit/proof.`,
      };
    }
    if (oldestAt !== null && Date.now() - Date.parse(oldestAt) > STALE_PROOF_MS) {
      return { status: 'degraded', detail: 'The last proof is more than 15 minutes old.' };
    }
    return { status: 'ok', detail: `Marketplaces whose books add up: ${marketplaces}, all of them.` };
  },
});

/** Checks that the provider's address answers. Any HTTP response below 500 is fine. */
export const providerProbe = (name: string, url: string | null): Probe => ({
  name,
  async check(): Promise<ProbeResult> {
    if (url === null) return { status: 'not_configured', detail: 'No address is set.' };
    const response = await fetch(url, { signal: AbortSignal.timeout(1_800), redirect: 'manual' });
    await response.body?.cancel();
    return response.status < 500
      ? { status: 'ok', detail: 'Answers.' }
      : { status: 'degraded', detail: `Answers with status ${response.status}.` };
  },
});

export const streamProbe = (stream: { readonly connections: number; readonly marketplaces: number }): Probe => ({
  name: 'stream',
  check: () => ({
    status: 'ok',
    detail: `Open streams: ${stream.connections}. Marketplaces with a stream: ${stream.marketplaces}.`,
  }),
});

type AskedLedger = {
  readonly passphrase: string;
  networkInfo(): Promise<{ kind: 'yes'; value: { passphrase: string } } | { kind: 'no' | 'unknown' }>;
};

/** Also checks that it is the network that we sign for: a transaction signed for another network is invalid. */
export const ledgerProbe = (network: AskedLedger | null): Probe => ({
  name: 'ledger-network',
  async check() {
    if (network === null) return { status: 'not_configured', detail: 'No address is set.' };
    const info = await network.networkInfo();
    if (info.kind !== 'yes') return { status: 'down', detail: 'Cannot be reached.' };
    return info.value.passphrase === network.passphrase
      ? { status: 'ok', detail: 'Answers.' }
      : { status: 'down', detail: 'Is another network than LEDGER_NETWORK_PASSPHRASE names. Correct one of the two.' };
  },
});
