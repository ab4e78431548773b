// Wires reconciliation: the comparison of the books with the ledger, the escrow contracts and the payment provider. It decides
// nothing.

import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { LedgerModule } from '../../ledger/wire.ts';
import type { Log } from '../../observability/logs.ts';
import type { Providers } from '../../providers/providers.ts';
import { createFloatBalance, createFloatTotal } from '../float/float-balance.ts';
import { createFloatReads } from '../float/queries.ts';
import type { ProviderCredentialsModule } from '../provider-credentials/wire.ts';
import { createBreaks } from './breaks.ts';
import { createContractBalances } from './contract-balances.ts';
import { reconcile } from './jobs.ts';
import { createLedgerBalances, waitUntilSettled } from './ledger-balances.ts';
import { createOwnBreaks } from './own-floats.ts';
import { createBreakReads } from './queries.ts';
import { reconciliationRoutes } from './routes.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly providers: Pick<Providers, 'escrow' | 'payment'>;
  readonly ledger: LedgerModule;
  readonly credentials: Pick<ProviderCredentialsModule, 'accounts' | 'reads'>;
  /** The ledger is a simulator, so its pages never lag behind each other. */
  readonly isSimulated: boolean;
  readonly log: Log;
};

/** Two closes of the ledger: the pages of a real ledger may be a few seconds apart. */
const BETWEEN_COMPARISONS_MS = 11_000;
/** Shorter than the time from one run of the job to the next. */
const DEPOSIT_PATIENCE_MS = 480_000;

export const wireReconciliation = (options: Options) => {
  const { config, pool, providers, ledger, credentials, isSimulated, log } = options;
  const { escrow, payment } = providers;
  const { network, asset, deposits, depositReads } = ledger;
  const breaks = createBreaks(pool);
  const reads = createBreakReads(pool);
  const floats = createFloatReads(pool);
  const onLedger = createLedgerBalances({
    network,
    reads: depositReads,
    deposits,
    settled: waitUntilSettled(depositReads),
    settlement: asset,
    betweenComparisonsMs: isSimulated ? 0 : BETWEEN_COMPARISONS_MS,
  });
  const contracts = escrow && {
    list: reads.contracts,
    compare: createContractBalances({ escrow: escrow.withPriority('background'), reads }),
  };
  const job: Job = reconcile({
    wallets: depositReads.followed,
    compare: onLedger.compare,
    arePending: deposits.arePending,
    ...(contracts ? { contracts } : {}),
    breaks,
    // At least two rounds of the deposit watcher.
    depositPatienceMs: Math.max(DEPOSIT_PATIENCE_MS, 2 * config.deposits.pollMs),
    listOverdrawn: floats.listOverdrawn,
    compareFloat: createFloatBalance({
      payment: payment?.withPriority('background') ?? null,
      reads: floats,
      onNotCompared: (reason) => log.warn({ reason }, 'the payment balance was not compared'),
    }),
    ownBreaks: createOwnBreaks({
      accounts: credentials.accounts,
      listAccounts: credentials.reads.accounts,
      reads: floats,
      onNotCompared: (reason, { marketplaceId }) =>
        log.warn({ reason, marketplaceId }, 'the balance of an own payment account was not compared'),
    }),
    onBreak: (found) => log.error({ break: found }, 'the books and an outside system differ'),
  });
  return {
    /** Compares one user's wallet, for the balance routes. */
    onLedger,
    summary: breaks.summary,
    routes: reconciliationRoutes({ breaks: reads, floatTotal: createFloatTotal({ payment, reads: floats }) }),
    jobs: ledger.hasLedger ? [job] : [],
  };
};
