// Puts custody together: wallets and their keys, the sender and the treasury, deposits, reconciliation. Like compose.ts it
// decides nothing. Without a ledger network the parts are there and answer that they cannot know.

import type pg from 'pg';
import { parseAmount } from '../books/money.ts';
import type { Submit } from '../commit/command.ts';
import type { ReactionHandlers } from '../commit/reactions.ts';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Job } from '../jobs/scheduler.ts';
import { createFloatBalance } from '../modules/float/float-balance.ts';
import { createBreaks } from '../modules/reconciliation/breaks.ts';
import { createContractBalances } from '../modules/reconciliation/contract-balances.ts';
import { reconcile } from '../modules/reconciliation/jobs.ts';
import { createLedgerBalances, waitUntilSettled } from '../modules/reconciliation/ledger-balances.ts';
import { createBreakReads } from '../modules/reconciliation/queries.ts';
import { createWalletView } from '../modules/wallets/wallet-view.ts';
import type { Log } from '../observability/logs.ts';
import { missingLedgerNetwork } from '../providers/network/ledger-network.ts';
import type { Providers } from '../providers/providers.ts';
import { createCustody } from './custody.ts';
import { createDeposits, depositCurrencyOf } from './deposits/deposits.ts';
import { watchDeposits } from './deposits/jobs.ts';
import { createDepositReads } from './deposits/queries.ts';
import type { EscrowFactories } from './keys/check-escrow.ts';
import { keepKeks } from './keys/key-keeper.ts';
import { createSigner } from './keys/signer.ts';
import { walletMaker } from './keys/wallet-keys.ts';
import { createWalletReads } from './keys/wallet-queries.ts';
import { resumeTransactions } from './transactions/jobs.ts';
import { createLedgerTransactionReads } from './transactions/queries.ts';
import { activateWallets } from './treasury/jobs.ts';
import { createTreasuryPaymentReads } from './treasury/queries.ts';
import { createSweep } from './treasury/sweep.ts';
import { sweepFees } from './treasury/sweep-job.ts';

type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'walletKeks'>;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly providers: Providers;
  /** Gives a new treasury play money; only where the ledger is a toy. */
  fill?(address: string): Promise<void>;
  /** The contracts that deploy escrows, where the provider is a toy. */
  readonly factories?: EscrowFactories;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
};

/** Two closes of the ledger. */
const LOOKS_APART_MS = 11_000;
/** Less than from one look of reconciliation to the next. */
const DEPOSIT_PATIENCE_MS = 480_000;

const amountOf = (text: string) => {
  const amount = parseAmount(text);
  if (amount === null) throw new Error(`${text} is not an amount`);
  return amount;
};

/** Those of the settings, for a provider that is not a toy. */
const factoriesOf = ({ adapters }: Config): EscrowFactories => {
  const { escrowFactorySingle: single, escrowFactoryMulti: multi } = adapters;
  return {
    ...(single === null ? {} : { 'single-release': { address: single, codeHash: adapters.escrowCodeHashSingle } }),
    ...(multi === null ? {} : { 'multi-release': { address: multi, codeHash: adapters.escrowCodeHashMulti } }),
  };
};

export const composeCustody = (options: Options) => {
  const { config, pool, submit, providers, log, onTrouble } = options;
  const { asset, escrow } = providers;
  const hasLedger = providers.network !== null;
  const network = providers.network ?? missingLedgerNetwork(config.adapters.ledgerPassphrase ?? '');
  const keeper = keepKeks(options.secrets.walletKeks);
  const prepareWallet = walletMaker(keeper);
  const signer = createSigner({
    ...{ keeper, networkPassphrase: network.passphrase, asset, log },
    factories: { ...(config.providers.escrowUrl === null ? options.factories : {}), ...factoriesOf(config) },
  });

  const wallets = createWalletReads(pool);
  const payments = createTreasuryPaymentReads(pool);
  const depositReads = createDepositReads(pool);
  const breaks = createBreaks(pool);
  const breakReads = createBreakReads(pool);

  const deposits = createDeposits({
    network,
    reads: depositReads,
    submit,
    findOwn: depositReads.own,
    settlement: asset,
    depositCurrency: depositCurrencyOf(config.money.baseCurrency, config.deposits.currency),
  });
  const onLedger = createLedgerBalances({
    network,
    reads: depositReads,
    deposits,
    settled: waitUntilSettled(depositReads),
    settlement: asset,
    // The toy ledger is of one piece; the pages of a real one may be some seconds apart.
    betweenLooksMs: options.fill ? 0 : LOOKS_APART_MS,
  });
  const startingXlm = amountOf(config.treasury.walletStartingXlm);
  const custody = createCustody({
    submit,
    ledger: network,
    escrow,
    signer,
    prepare: prepareWallet,
    usdc: asset,
    wallets,
    transactions: createLedgerTransactionReads(pool),
    payments,
    pollNow: deposits.pollNow,
    startingXlm,
    batchMax: config.treasury.batchMax,
    ...(options.fill ? { fill: options.fill } : {}),
    onTrouble,
  });

  const jobs: Job[] = [
    resumeTransactions(custody.sender),
    activateWallets(custody.activation),
    sweepFees(createSweep({ ...custody, wallets: wallets.platforms, reads: depositReads, startingXlm, onTrouble })),
    reconcile({
      wallets: depositReads.followed,
      compare: onLedger.compare,
      arePending: deposits.arePending,
      ...(escrow
        ? { contracts: { list: breakReads.contracts, compare: createContractBalances({ escrow, reads: breakReads }) } }
        : {}),
      breaks,
      // Long enough for two rounds of the watcher.
      depositPatienceMs: Math.max(DEPOSIT_PATIENCE_MS, 2 * config.deposits.pollMs),
      lookAtFloat: createFloatBalance({
        payment: providers.payment,
        reads: breakReads,
        onSilence: (reason) => log.warn({ reason }, 'the payment balance was not compared'),
      }),
      onBreak: (found) => log.error({ break: found }, 'the books and an outside system differ'),
    }),
  ];
  let watch: ReturnType<typeof watchDeposits> | null = null;
  const begin = (marketplaceId: string, walletId: string): void => {
    if (hasLedger) void custody.activation.begin({ marketplaceId, walletId });
  };
  options.reactions.on('wallet-created', ({ walletId }, { marketplaceId }) => begin(marketplaceId, walletId));

  return {
    wallets,
    /** For whoever carries out an order's operations. */
    calls: custody.calls,
    fundWallet: custody.fundWallet,
    platformWallets: custody.platformWallets,
    activation: custody.activation,
    send: custody.sender.send,
    resume: custody.sender.resume,
    walletView: createWalletView({ network, asset }),
    network,
    asset,
    prepareWallet,
    onLedger,
    breaks,
    breakReads,
    treasuryBalances: payments.balances,
    /** Nothing to do where there is no ledger. */
    jobs: hasLedger ? jobs : [],
    /** From now on deposits are followed. */
    start(): void {
      if (!hasLedger) return;
      watch = watchDeposits({
        wallets: depositReads.followed,
        look: deposits.look,
        pollMs: config.deposits.pollMs,
        onTrouble,
      });
    },
    /** At once: somebody knows of one. */
    pollDeposits: (): void => watch?.hurry(),
    begin,
    async close(): Promise<void> {
      await watch?.stop();
      await custody.close();
    },
  };
};
