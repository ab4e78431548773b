// Wires the ledger: wallets and their keys, the transaction sender, the treasury, deposits and their jobs. It decides nothing. When
// no ledger network is configured the parts exist and answer unknown.

import type pg from 'pg';
import { fromUnits, settingAmount } from '../books/money.ts';
import type { Submit } from '../commit/command.ts';
import type { ReactionHandlers } from '../commit/reactions.ts';
import type { Config } from '../config/config.ts';
import { isReal } from '../config/reach.ts';
import type { Job } from '../jobs/scheduler.ts';
import type { Log } from '../observability/logs.ts';
import type { Connection } from '../postgres/connection.ts';
import { missingLedgerNetwork } from '../providers/network/ledger-network.ts';
import type { LedgerNetwork } from '../providers/ports.ts';
import type { Providers } from '../providers/providers.ts';
import { adoptTransactions } from './adoption/jobs.ts';
import type { BeginForgottenEscrow } from './adoption/match-transaction.ts';
import { createAdoptionReads } from './adoption/queries.ts';
import { createDeposits, type Deposits, depositCurrencyOf } from './deposits/deposits.ts';
import { createFindOrigins } from './deposits/find-origins.ts';
import { createFollower } from './deposits/follow-ledger.ts';
import { createLagNotes, readDepositLag } from './deposits/lag.ts';
import { createLedgerCursor } from './deposits/ledger-cursor.ts';
import { createMovedWallets } from './deposits/moved-wallets.ts';
import { createDepositReads, type DepositReads } from './deposits/queries.ts';
import type { SetAside } from './deposits/set-aside.ts';
import { watchDeposits } from './deposits/watch-deposits.ts';
import { createHoldBeginning } from './holds/begin-hold.ts';
import { comparisonRecorder } from './holds/payment-hold.ts';
import { createHoldReads } from './holds/queries.ts';
import type { PlacedUnexplained } from './holds/unexplained.ts';
import { createUnexplainedPayments } from './holds/unexplained.ts';
import { activateWallets, createSweep, resumeTransactions, sweepFees } from './jobs.ts';
import { createCheckContract } from './keys/check-contract.ts';
import type { EscrowFactories } from './keys/check-escrow.ts';
import type { KeyKeeper } from './keys/key-keeper.ts';
import { createSigner, type Signer } from './keys/signer.ts';
import { walletMaker } from './keys/wallet-keys.ts';
import { createWalletReads, type WalletReads } from './keys/wallet-queries.ts';
import { createLedgerParts, type LedgerParts } from './ledger-parts.ts';
import type { ActionOwners } from './transactions/action-owners.ts';
import { createLedgerTransactionReads } from './transactions/queries.ts';
import type { ActivationLimits } from './treasury/activation-day.ts';
import { createTreasuryPreparation } from './treasury/preparation.ts';
import { createTreasuryPaymentReads } from './treasury/queries.ts';

type Options = {
  readonly config: Config;
  /** Seals and opens the secrets of wallets. */
  readonly keeper: KeyKeeper;
  readonly pool: pg.Pool;
  readonly connection: Connection;
  /** Deposits that were not credited. */
  readonly setAside: SetAside;
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
  /** Shows a payment of the ledger that nothing in the books explains to the operator. */
  onUnexplained?(seen: PlacedUnexplained): Promise<void>;
  onTrouble(message: string, error: unknown): void;
};

type OnTrouble = Options['onTrouble'];

/** How long an operation waits for the treasury, at least: also when its request no longer waits. */
const FUND_WAIT_MIN_MS = 20_000;

const USUAL_LIMITS: ActivationLimits = { perMarketplace: 1_000, overall: 10_000 };

export type LedgerModule = ReturnType<typeof wireLedger>;

/** The factories of the settings, for a real provider. */
const factoriesOfSettings = ({ adapters }: Config): EscrowFactories => {
  const { escrowFactorySingle: single, escrowFactoryMulti: multi } = adapters;
  return {
    ...(single === null ? {} : { 'single-release': { address: single, codeHash: adapters.escrowCodeHashSingle } }),
    ...(multi === null ? {} : { 'multi-release': { address: multi, codeHash: adapters.escrowCodeHashMulti } }),
  };
};

/** Activations cost the operator real money only beside a real ledger. */
const activationLimitsOf = ({ providers, treasury }: Config): ActivationLimits => {
  const usual = isReal(providers.ledgerUrl) ? USUAL_LIMITS : { perMarketplace: null, overall: null };
  return {
    perMarketplace: treasury.activationsPerDay ?? usual.perMarketplace,
    overall: treasury.activationsPerDayOverall ?? usual.overall,
  };
};

const factoriesOf = ({ config, factories }: Options): EscrowFactories => ({
  ...(config.providers.escrowUrl === null ? factories : {}),
  ...factoriesOfSettings(config),
});

type SignerParts = { readonly network: LedgerNetwork; readonly factories: EscrowFactories };

const signerOf = ({ keeper, providers, log }: Options, { network, factories }: SignerParts): Signer =>
  createSigner({
    keeper,
    networkPassphrase: network.passphrase,
    asset: providers.asset,
    factories,
    log,
  });

/** What decides whether a payment is a deposit. */
const arrivalsOf = (
  { config, providers }: Options,
  { network, reads }: { network: LedgerNetwork; reads: DepositReads },
) => ({
  findOrigins: createFindOrigins({ network, reads }),
  settlement: providers.asset,
  depositCurrency: depositCurrencyOf(config.money.baseCurrency, config.deposits.currency),
});

const depositsOf = (
  options: Options,
  { network, reads }: { network: LedgerNetwork; reads: DepositReads },
): Deposits => {
  const { pool, submit, setAside, onTrouble } = options;
  const common = { network, reads, submit, setAside, onTrouble, cursor: createLedgerCursor(pool) };
  return createDeposits({ ...common, ...arrivalsOf(options, { network, reads }) });
};

/** What keeps a wallet from paying, and what the books do not know of the ledger. */
const adoptionOf = ({ config, pool, submit, onUnexplained = async () => {} }: Options, wallets: WalletReads) => {
  const holds = createHoldReads(pool);
  /** The module of escrows is put together after the ledger. */
  let beginEscrow: BeginForgottenEscrow = async () => false;
  return {
    holds,
    beginEscrowsWith: (begin: BeginForgottenEscrow): void => {
      beginEscrow = begin;
    },
    adoption: {
      beginEscrow: (of: Parameters<BeginForgottenEscrow>[0]) => beginEscrow(of),
      reads: createAdoptionReads(pool),
      usdcCurrency: depositCurrencyOf(config.money.baseCurrency, config.deposits.currency),
      unexplained: createUnexplainedPayments({ submit, wallets, holds, onUnexplained }),
    },
  };
};

type Running = {
  readonly parts: LedgerParts;
  readonly network: LedgerNetwork;
  readonly wallets: WalletReads;
  readonly depositReads: DepositReads;
  readonly held: ReturnType<typeof adoptionOf>;
};

const jobsOf = ({ config, submit, onTrouble }: Options, running: Running): Job[] => {
  const { parts, wallets, depositReads, network, held } = running;
  const feesXlm = settingAmount(config.treasury.walletFeesXlm);
  const sweep = createSweep({ ...parts, wallets: wallets.platforms, reads: depositReads, feesXlm, onTrouble });
  const adopting = adoptTransactions({
    network: network.withPriority('background'),
    adoption: parts.sender.adoption,
    reads: held.adoption.reads,
    wallets: depositReads.followed,
    holds: held.holds,
    recordComparison: comparisonRecorder(submit),
  });
  return [resumeTransactions(parts.sender), adopting, activateWallets(parts.activation), sweepFees(sweep)];
};

/** Follows the ledger from `start` to `stop`. Its requests wait behind those of payments and settlements. */
const watcherOf = (options: Options, { network, reads }: { network: LedgerNetwork; reads: DepositReads }) => {
  const { config, connection, submit, setAside, pool, onTrouble } = options;
  let watch: ReturnType<typeof watchDeposits> | null = null;
  return {
    start(): void {
      const inBackground = network.withPriority('background');
      const cursor = createLedgerCursor(pool);
      const common = { network: inBackground, reads, cursor, onTrouble };
      const moved = createMovedWallets(pool);
      const arrivals = arrivalsOf(options, { network: inBackground, reads });
      const follower = createFollower({ ...common, ...arrivals, moved, submit, setAside });
      const deposits = depositsOf(options, { network: inBackground, reads });
      const lag = createLagNotes({ pool, network: inBackground });
      const { pollMs, checkMs } = config.deposits;
      watch = watchDeposits({ ...common, connection, follower, deposits, lag, pollMs, checkMs });
    },
    stop: async (): Promise<void> => watch?.stop(),
  };
};

type Polling = { readonly wallets: WalletReads; readonly deposits: Deposits; readonly onTrouble: OnTrouble };

/** Records the deposits at an address without waiting for the watcher, which may be in another process. */
const depositPolling = ({ wallets, deposits, onTrouble }: Polling) => {
  const poll = async ({ marketplaceId, address }: { marketplaceId: string; address: string }): Promise<void> => {
    const wallet = await wallets.findByAddress(marketplaceId, address);
    if (wallet) await deposits.pollNow({ marketplaceId, walletId: wallet.id });
  };
  return (place: { marketplaceId: string; address: string }): void => {
    poll(place).catch((error: unknown) => onTrouble('the deposits of a wallet were not read', error));
  };
};

/** What requests do with wallets that are not on the ledger yet. */
const requestsOf = ({ parts, wallets, hasLedger }: Pick<Running, 'parts' | 'wallets'> & { hasLedger: boolean }) => ({
  /** Refuses with WALLET_ACTIVATION_LIMIT when the wallet has to wait for another day. */
  async requestActivation(place: { marketplaceId: string; walletId: string }): Promise<void> {
    if (hasLedger) await parts.activation.beginOrRefuse(place);
  },
  /** Activates the wallet at this address, if it is ours and not active, and waits for it. */
  async activateAt({ marketplaceId, address }: { marketplaceId: string; address: string }): Promise<void> {
    const wallet = await wallets.findByAddress(marketplaceId, address);
    if (wallet?.status !== 'PENDING') return;
    if (wallet.owner === 'treasury') await parts.platformWallets.treasury(marketplaceId);
    else await parts.activation.waitUntilActive({ marketplaceId, walletId: wallet.id });
  },
});

export const wireLedger = (options: Options) => {
  const { config, keeper, pool, submit, reactions, providers, owners, fill, onTrouble } = options;
  const { asset, escrow } = providers;
  const hasLedger = providers.network !== null;
  const network = providers.network ?? missingLedgerNetwork(config.adapters.ledgerPassphrase ?? '');
  const prepareWallet = walletMaker(keeper);
  const factories = factoriesOf(options);
  const signer = signerOf(options, { network, factories });
  const wallets = createWalletReads(pool);
  const payments = createTreasuryPaymentReads(pool);
  const held = adoptionOf(options, wallets);
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
    pollToSettle: deposits.pollToSettle,
    ...held,
    feesXlm: settingAmount(config.treasury.walletFeesXlm),
    batchMax: config.treasury.batchMax,
    activationLimits: activationLimitsOf(config),
    feeMax: fromUnits(BigInt(config.adapters.ledgerMaxBid)),
    bumpAfterMs: config.adapters.ledgerBumpAfterMs,
    fundWaitMs: Math.max(config.orders.operationWaitMs, FUND_WAIT_MIN_MS),
    ...(fill ? { fill } : {}),
    onTrouble,
  });
  const watcher = watcherOf(options, { network, reads: depositReads });
  const preparation = createTreasuryPreparation(parts.platformWallets.treasury, onTrouble);
  reactions.on('activation-requested', ({ walletId }, { marketplaceId }) => {
    if (hasLedger) void parts.activation.begin({ marketplaceId, walletId });
  });
  reactions.on('wallet-created', (_, { marketplaceId }) => {
    if (hasLedger) preparation.begin(marketplaceId);
  });

  return {
    ...parts,
    hasLedger,
    network,
    asset,
    signer,
    checkContract: createCheckContract({ ledger: network, factories }),
    wallets,
    holds: held.holds,
    ...createHoldBeginning({ submit, holds: held.holds, hasLedger }),
    beginEscrowsWith: held.beginEscrowsWith,
    prepareWallet,
    deposits,
    depositReads,
    treasuryBalances: payments.balances,
    walletsWaiting: payments.countWaiting,
    networkFeesPaid: payments.networkFees,
    depositLag: () => readDepositLag(pool),
    ...requestsOf({ parts, wallets, hasLedger }),
    /** Nothing to do where there is no ledger. */
    jobs: hasLedger ? jobsOf(options, { parts, network, wallets, depositReads, held }) : [],
    /** From now on deposits are followed. */
    start(): void {
      if (hasLedger) watcher.start();
    },
    pollDepositsAt: depositPolling({ wallets, deposits, onTrouble }),
    async close(): Promise<void> {
      preparation.close();
      await watcher.stop();
      await parts.close();
    },
  };
};
