// Wires reconciliation: the comparison of the books with the ledger, the escrow contracts and the payment provider. It decides
// nothing.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import type { Submit } from '../../commit/command.ts';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import type { Config } from '../../config/config.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { createLedgerCursor } from '../../ledger/deposits/ledger-cursor.ts';
import { createMovedWallets } from '../../ledger/deposits/moved-wallets.ts';
import { tokenOf } from '../../ledger/format/contract-values.ts';
import { comparisonRecorder } from '../../ledger/holds/payment-hold.ts';
import { assetOf } from '../../ledger/keys/wallet.ts';
import type { LedgerModule } from '../../ledger/wire.ts';
import type { Log } from '../../observability/logs.ts';
import { unlessLost } from '../../postgres/answering.ts';
import type { LedgerAsset, ListedPayout } from '../../providers/ports.ts';
import type { Providers } from '../../providers/providers.ts';
import { createFloatBalance, createFloatTotal } from '../float/float-balance.ts';
import { createFloatReads, type FloatReads } from '../float/queries.ts';
import type { ProviderCredentialsModule } from '../provider-credentials/wire.ts';
import { createBreaks, lostPayouts, unexplainedPayments } from './breaks.ts';
import { compareBalances } from './compare-balances.ts';
import { createContractBalances } from './contract-balances.ts';
import { reconcile } from './jobs.ts';
import { createLedgerBalances, explainByOperations, waitUntilSettled } from './ledger-balances.ts';
import { findLostPayouts, type PayoutAccount, type PayoutInBooks } from './lost-payouts.ts';
import { createOwnBreaks } from './own-floats.ts';
import { createBreakReads } from './queries.ts';
import { reconciliationRoutes } from './routes.ts';
import { createWalletRounds } from './wallet-rounds.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly providers: Pick<Providers, 'escrow' | 'payment'>;
  readonly ledger: LedgerModule;
  readonly credentials: Pick<ProviderCredentialsModule, 'accounts' | 'reads'>;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  /** Applies a payout to its withdrawal, where the books do not know that it was made. */
  adoptPayout(payout: ListedPayout & { readonly code: string }): Promise<PayoutInBooks>;
  /** The ledger is a simulator, so its pages never lag behind each other. */
  readonly isSimulated: boolean;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
};

const NATIVE: LedgerAsset = { code: 'XLM', issuer: null };
/** Two closes of the ledger: the pages of a real ledger may be a few seconds apart. */
const BETWEEN_COMPARISONS_MS = 11_000;
/** Shorter than the time from one run of the job to the next. */
const DEPOSIT_PATIENCE_MS = 480_000;

/** The shared account, whose payouts the operator's marketplace shows, and the own accounts of marketplaces. */
const payoutAccountsOf = async ({ providers, credentials }: Options): Promise<PayoutAccount[]> => {
  const shared = providers.payment?.withPriority('background');
  const accounts: PayoutAccount[] = shared
    ? [{ marketplaceId: DEFAULT_MARKETPLACE, providerAccount: null, provider: shared }]
    : [];
  for (const { marketplaceId, credentialsId, providerAccount } of await credentials.reads.accounts()) {
    const provider = await credentials.accounts.of({ marketplaceId, credentialsId });
    if (provider) accounts.push({ marketplaceId, providerAccount, provider: provider.withPriority('background') });
  }
  return accounts;
};

/** The comparisons with the payment provider need all marketplaces, so they wait for a machine of the database that does not answer. */
const floatComparisons = ({ providers, credentials, log }: Options, floats: FloatReads) => ({
  // A list without the marketplaces of a lost machine would resolve their breaks.
  listOverdrawn: unlessLost(floats.listOverdrawn, null),
  compareFloat: unlessLost(
    createFloatBalance({
      payment: providers.payment?.withPriority('background') ?? null,
      reads: floats,
      onNotCompared: (reason) => log.warn({ reason }, 'the payment balance was not compared'),
    }),
    null,
  ),
  ownBreaks: unlessLost(
    createOwnBreaks({
      accounts: credentials.accounts,
      listAccounts: credentials.reads.accounts,
      reads: floats,
      onNotCompared: (reason, { marketplaceId }) =>
        log.warn({ reason, marketplaceId }, 'the balance of an own payment account was not compared'),
    }),
    [],
  ),
});

export const wireReconciliation = (options: Options) => {
  const { config, pool, providers, ledger, isSimulated, log } = options;
  const { escrow, payment } = providers;
  const { network, asset, deposits, depositReads } = ledger;
  const breaks = createBreaks(pool);
  const reads = createBreakReads(pool);
  const floats = createFloatReads(pool);
  const comparison = {
    reads: depositReads,
    cursor: createLedgerCursor(pool),
    deposits,
    adoption: ledger.sender.adoption,
    settled: waitUntilSettled(depositReads),
    settlement: asset,
    betweenComparisonsMs: isSimulated ? 0 : BETWEEN_COMPARISONS_MS,
  };
  const onLedger = createLedgerBalances({ ...comparison, network });
  // The requests of the job wait behind those of payments and settlements.
  const background = network.withPriority('background');
  const contracts = escrow && {
    list: reads.contracts,
    listShort: unlessLost(reads.shortFundings, null),
    ...createContractBalances({
      escrow: escrow.withPriority('background'),
      reads,
      onLedger({ contractId, currency }) {
        const token = tokenOf(assetOf(currency) === 'XLM' ? NATIVE : asset, network.passphrase);
        return background.contractBalance({ contractId, token });
      },
    }),
  };
  const job: Job = reconcile({
    rounds: createWalletRounds({
      pool,
      reads: depositReads,
      moved: createMovedWallets(pool),
      walletsMax: config.deposits.reconcileMax,
    }),
    compare: (wallet) => compareBalances({ ...comparison, network: background }, wallet),
    arePending: deposits.arePending,
    readTo: deposits.readTo,
    explain: explainByOperations(background),
    ...(contracts ? { contracts } : {}),
    breaks,
    // At least two rounds of the deposit watcher, and of its second reads.
    depositPatienceMs: Math.max(DEPOSIT_PATIENCE_MS, 2 * config.deposits.pollMs, 2 * config.deposits.checkMs),
    ...floatComparisons(options, floats),
    onBreak: (found) => log.error({ break: found }, 'the books and an outside system differ'),
  });
  options.reactions.on('break-closed', (of, { marketplaceId }) => {
    // The job resolves it when this does not.
    breaks
      .resolve({ ...of, marketplaceId })
      .catch((error: unknown) => options.onTrouble('a break that a correction closed could not be resolved', error));
  });
  const lost = lostPayouts(breaks);
  const search = findLostPayouts({
    holds: ledger.holds,
    recordComparison: comparisonRecorder(options.submit),
    listAccounts: () => payoutAccountsOf(options),
    adoptPayout: options.adoptPayout,
    see: lost.see,
    onTrouble: options.onTrouble,
  });
  return {
    /** Compares one user's wallet, for the balance routes. */
    onLedger,
    reads,
    summary: breaks.summary,
    unexplained: unexplainedPayments(breaks),
    lostPayouts: lost,
    routes: reconciliationRoutes({ breaks: reads, floatTotal: createFloatTotal({ payment, reads: floats }) }),
    jobs: ledger.hasLedger ? [job, search] : [search],
  };
};

export type ReconciliationModule = ReturnType<typeof wireReconciliation>;
