// Wires the ledger: wallets and their keys, the transaction sender, the treasury, deposits and their jobs. It decides nothing. When
// no ledger network is configured the parts exist and answer unknown.

import type pg from 'pg';
import { settingAmount } from '../books/money.ts';
import type { Submit } from '../commit/command.ts';
import type { ReactionHandlers } from '../commit/reactions.ts';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Log } from '../observability/logs.ts';
import { missingLedgerNetwork } from '../providers/network/ledger-network.ts';
import type { LedgerNetwork } from '../providers/ports.ts';
import type { Providers } from '../providers/providers.ts';
import { createDeposits, type Deposits, depositCurrencyOf } from './deposits/deposits.ts';
import { createDepositReads, type DepositReads } from './deposits/queries.ts';
import { watchDeposits } from './deposits/watch-deposits.ts';
import { activateWallets, createSweep, resumeTransactions, sweepFees } from './jobs.ts';
import type { EscrowFactories } from './keys/check-escrow.ts';
import { type KeyKeeper, keepKeks } from './keys/key-keeper.ts';
import { createSigner, type Signer } from './keys/signer.ts';
import { walletMaker } from './keys/wallet-keys.ts';
import { createWalletReads, type WalletReads } from './keys/wallet-queries.ts';
import { createLedgerParts, type LedgerParts } from './ledger-parts.ts';
import type { ActionOwners } from './transactions/action-owners.ts';
import { createLedgerTransactionReads } from './transactions/queries.ts';
import { createTreasuryPaymentReads } from './treasury/queries.ts';

type Options = {
  readonly config: Config;
  readonly secrets: Pick<Secrets, 'walletKeks'>;
  readonly pool: pg.Pool;
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly providers: Providers;
  /** What transactions do to the rows of other modules. */
  readonly owners: ActionOwners;
  /** Gives a new treasury test money; only where the ledger is a simulator. */
  fill?(address: string): Promise<void>;
  /** The contracts that deploy escrows, where the provider is a simulator. */
  readonly factories?: EscrowFactories;
  readonly log: Log;
  onTrouble(message: string, error: unknown): void;
};

export type LedgerModule = ReturnType<typeof wireLedger>;

/** The factories of the settings, for a real provider. */
const factoriesOf = ({ adapters }: Config): EscrowFactories => {
  const { escrowFactorySingle: single, escrowFactoryMulti: multi } = adapters;
  return {
    ...(single === null ? {} : { 'single-release': { address: single, codeHash: adapters.escrowCodeHashSingle } }),
    ...(multi === null ? {} : { 'multi-release': { address: multi, codeHash: adapters.escrowCodeHashMulti } }),
  };
};

type Base = { readonly keeper: KeyKeeper; readonly network: LedgerNetwork };

const signerOf = ({ config, providers, factories, log }: Options, { keeper, network }: Base): Signer =>
  createSigner({
    keeper,
    networkPassphrase: network.passphrase,
    asset: providers.asset,
    factories: { ...(config.providers.escrowUrl === null ? factories : {}), ...factoriesOf(config) },
    log,
  });

const depositsOf = (options: Options, { network, reads }: { network: LedgerNetwork; reads: DepositReads }): Deposits =>
  createDeposits({
    network,
    reads,
    submit: options.submit,
    findOwn: reads.own,
    settlement: options.providers.asset,
    depositCurrency: depositCurrencyOf(options.config.money.baseCurrency, options.config.deposits.currency),
  });

type Running = { readonly parts: LedgerParts; readonly wallets: WalletReads; readonly depositReads: DepositReads };

const jobsOf = ({ config, onTrouble }: Options, { parts, wallets, depositReads }: Running): Job[] => {
  const startingXlm = settingAmount(config.treasury.walletStartingXlm);
  const sweep = createSweep({ ...parts, wallets: wallets.platforms, reads: depositReads, startingXlm, onTrouble });
  return [resumeTransactions(parts.sender), activateWallets(parts.activation), sweepFees(sweep)];
};

/** Follows deposits from `start` to `stop`. */
const watcherOf = (
  { config, onTrouble }: Options,
  { deposits, depositReads }: { deposits: Deposits; depositReads: DepositReads },
) => {
  let watch: ReturnType<typeof watchDeposits> | null = null;
  return {
    start(): void {
      watch = watchDeposits({
        wallets: depositReads.followed,
        poll: deposits.poll,
        pollMs: config.deposits.pollMs,
        onTrouble,
      });
    },
    pollNow: (): void => watch?.pollNow(),
    stop: async (): Promise<void> => watch?.stop(),
  };
};

export const wireLedger = (options: Options) => {
  const { config, pool, submit, reactions, providers, owners, fill, onTrouble } = options;
  const { asset, escrow } = providers;
  const hasLedger = providers.network !== null;
  const network = providers.network ?? missingLedgerNetwork(config.adapters.ledgerPassphrase ?? '');
  const keeper = keepKeks(options.secrets.walletKeks);
  const prepareWallet = walletMaker(keeper);
  const signer = signerOf(options, { keeper, network });
  const wallets = createWalletReads(pool);
  const payments = createTreasuryPaymentReads(pool);
  const depositReads = createDepositReads(pool);
  const deposits = depositsOf(options, { network, reads: depositReads });
  const parts = createLedgerParts({
    submit,
    reactions,
    owners,
    ledger: network,
    escrow,
    signer,
    prepare: prepareWallet,
    usdc: asset,
    wallets,
    transactions: createLedgerTransactionReads(pool),
    payments,
    pollNow: deposits.pollNow,
    startingXlm: settingAmount(config.treasury.walletStartingXlm),
    batchMax: config.treasury.batchMax,
    ...(fill ? { fill } : {}),
    onTrouble,
  });
  const watcher = watcherOf(options, { deposits, depositReads });
  const activate = (marketplaceId: string, walletId: string): void => {
    if (hasLedger) void parts.activation.begin({ marketplaceId, walletId });
  };
  reactions.on('wallet-created', ({ walletId }, { marketplaceId }) => activate(marketplaceId, walletId));

  return {
    ...parts,
    hasLedger,
    network,
    asset,
    signer,
    wallets,
    prepareWallet,
    deposits,
    depositReads,
    treasuryBalances: payments.balances,
    activate,
    /** Nothing to do where there is no ledger. */
    jobs: hasLedger ? jobsOf(options, { parts, wallets, depositReads }) : [],
    /** From now on deposits are followed. */
    start(): void {
      if (hasLedger) watcher.start();
    },
    pollDeposits: watcher.pollNow,
    async close(): Promise<void> {
      await watcher.stop();
      await parts.close();
    },
  };
};
