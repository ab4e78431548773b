// Composes the parts that act on the ledger: transaction sender, platform wallets, treasury, wallet funding and activation. It
// decides nothing.

import { within } from '../base/wait.ts';
import type { Amount } from '../books/money.ts';
import type { Submit } from '../commit/command.ts';
import type { ReactionHandlers } from '../commit/reactions.ts';
import type { EscrowProvider, LedgerAsset } from '../providers/ports.ts';
import type { Signer } from './keys/signer.ts';
import type { PrepareWallet } from './keys/wallet-keys.ts';
import type { WalletReads } from './keys/wallet-queries.ts';
import type { ActionOwners } from './transactions/action-owners.ts';
import { createTransactionBuilder } from './transactions/build-transaction.ts';
import { createFeeBids } from './transactions/fee-bids.ts';
import { createLedgerMemory, type Ledger } from './transactions/ledger.ts';
import type { LedgerTransaction } from './transactions/ledger-transaction.ts';
import type { LedgerTransactionReads } from './transactions/queries.ts';
import { paymentIdsOf } from './transactions/record-transaction.ts';
import { createTransactionSender, type TransactionSenderOptions } from './transactions/transaction-sender.ts';
import { createActivation } from './treasury/activation.ts';
import type { ActivationLimits } from './treasury/activation-day.ts';
import { createFundWallet } from './treasury/fund-wallet.ts';
import { createLocalNotifier } from './treasury/local-notifier.ts';
import { createPlatformWallets } from './treasury/platform-wallets.ts';
import type { TreasuryPaymentReads } from './treasury/queries.ts';
import { createTreasury } from './treasury/treasury.ts';

export type LedgerPartsOptions = {
  readonly submit: Submit;
  readonly reactions: Pick<ReactionHandlers, 'on'>;
  readonly owners: ActionOwners;
  readonly ledger: Ledger;
  /** Null: none is configured. */
  readonly escrow: Pick<EscrowProvider, 'forMarketplace'> | null;
  readonly signer: Signer;
  readonly prepare: PrepareWallet;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  readonly wallets: Pick<WalletReads, 'find' | 'findByAddress' | 'ofPlatform'>;
  readonly transactions: LedgerTransactionReads;
  readonly payments: TreasuryPaymentReads;
  /** Records the deposits of a wallet; see deposits.ts. */
  pollToSettle(place: {
    marketplaceId: string;
    walletId: string;
  }): Promise<{ readonly kind: 'yes' | 'no' | 'unknown' }>;
  readonly adoption: TransactionSenderOptions['adoption'];
  readonly holds: TransactionSenderOptions['holds'];
  /** See createFundWallet. */
  readonly feesXlm: Amount;
  readonly batchMax: number;
  /** The highest fee per operation that we bid. */
  readonly feeMax?: Amount;
  /** How long the reported fees of the network are used. */
  readonly statsReadEveryMs?: number;
  /** How long a transaction may wait for a ledger before its fee is raised. */
  readonly bumpAfterMs?: number;
  readonly activationLimits?: ActivationLimits;
  /** The current day in UTC, for the limits of activations. */
  today?(): string;
  /** How long `fundWallet` waits for the treasury. */
  readonly fundWaitMs?: number;
  /** Gives a new treasury test money, where the ledger is a simulator. */
  fill?(address: string): Promise<void>;
  onTrouble(message: string, error: unknown): void;
  readonly onStep?: TransactionSenderOptions['onStep'];
};

export type LedgerParts = ReturnType<typeof createLedgerParts>;

const CLOSE_WAIT_MS = 5_000;

const walletIdsOf = ({ actions }: LedgerTransaction): string[] =>
  actions.flatMap((action) => ('walletId' in action ? [action.walletId] : []));

export const createLedgerParts = (given: LedgerPartsOptions) => {
  const memory = createLedgerMemory(given.ledger);
  const options = { ...given, ledger: memory.ledger, numbers: memory.numbers };
  const { wallets, payments, fundWaitMs } = options;
  const notifier = createLocalNotifier();
  const applyDeposits = async (place: { marketplaceId: string; address: string }): Promise<boolean> => {
    const { marketplaceId, address } = place;
    const wallet = await wallets.findByAddress(marketplaceId, address);
    return wallet === null || (await options.pollToSettle({ marketplaceId, walletId: wallet.id })).kind === 'yes';
  };

  const feeBids = createFeeBids(options);
  const buildTransaction = createTransactionBuilder({ ...options, feeBids, findWallets: payments.wallets });
  const findPayer = (marketplaceId: string) => wallets.ofPlatform(marketplaceId, 'treasury');
  const sender = createTransactionSender({ ...options, feeBids, findPayer, buildTransaction, applyDeposits });
  const platformWallets = createPlatformWallets({ ...options, sender, applyDeposits });
  const treasury = createTreasury({ ...options, platformWallets, sender, onMoved: notifier.notify });
  const shared = { ...options, notifier, kick: treasury.kick };

  options.reactions.on('transaction-settled', ({ transaction }, { marketplaceId }) => {
    notifier.notify([...paymentIdsOf(transaction.actions), ...walletIdsOf(transaction)]);
    // Its treasury payments are in the queue again, whichever process had sent them.
    if (transaction.state === 'FAILED') treasury.kick(marketplaceId);
  });

  return {
    sender,
    memory,
    feeBids,
    feeState: feeBids.state,
    platformWallets,
    treasury,
    fundWallet: createFundWallet({
      ...shared,
      adoption: sender.adoption,
      ...(fundWaitMs === undefined ? {} : { waitMs: fundWaitMs }),
    }),
    activation: createActivation({ ...shared, sender }),
    /** Waits a moment for open work. What is still open then is resumed at the next start. */
    close: (): Promise<unknown> =>
      within(Promise.all([treasury.close(), sender.close()]), { ms: CLOSE_WAIT_MS, late: () => null }),
  };
};
