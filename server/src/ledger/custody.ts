// Puts the parts of custody that act on the ledger together: sender, platformWallets, treasury, cover, activation, and the calls of
// escrow contracts. Nothing here decides anything.

import { setTimeout as pause } from 'node:timers/promises';
import type { Amount } from '../books/money.ts';
import type { Submit } from '../commit/command.ts';
import type { EscrowProvider, LedgerAsset } from '../providers/ports.ts';
import type { Signer } from './keys/signer.ts';
import type { PrepareWallet } from './keys/wallet-keys.ts';
import type { WalletReads } from './keys/wallet-queries.ts';
import { createTransactionBuilder } from './transactions/build-transaction.ts';
import { createEscrowCalls } from './transactions/escrow-calls.ts';
import type { Ledger } from './transactions/ledger.ts';
import type { LedgerTransaction } from './transactions/ledger-transaction.ts';
import type { LedgerTransactionReads } from './transactions/queries.ts';
import { paymentIdsOf } from './transactions/record-transaction.ts';
import { createTransactionSender, type TransactionSenderOptions } from './transactions/transaction-sender.ts';
import { createActivation } from './treasury/activation.ts';
import { createFundWallet } from './treasury/fund-wallet.ts';
import { createNotifier } from './treasury/notifier.ts';
import { createPlatformWallets } from './treasury/platform-wallets.ts';
import type { TreasuryPaymentReads } from './treasury/queries.ts';
import { createTreasury } from './treasury/treasury.ts';

export type CustodyOptions = {
  readonly submit: Submit;
  readonly ledger: Ledger;
  /** Null: there is none. */
  readonly escrow: Pick<EscrowProvider, 'prepare' | 'submit'> | null;
  readonly signer: Signer;
  readonly prepare: PrepareWallet;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
  readonly wallets: Pick<WalletReads, 'find' | 'findByAddress' | 'ofPlatform'>;
  readonly transactions: LedgerTransactionReads;
  readonly payments: TreasuryPaymentReads;
  /** Takes what came in at a wallet into the books; see deposits.ts. */
  pollNow(place: { marketplaceId: string; walletId: string }): Promise<{ readonly kind: 'yes' | 'no' | 'unknown' }>;
  readonly startingXlm: Amount;
  readonly batchMax: number;
  /** How long `cover` waits for the treasury. */
  readonly fundWaitMs?: number;
  /** Gives a new treasury play money, where the ledger is a toy. */
  fill?(address: string): Promise<void>;
  onTrouble(message: string, error: unknown): void;
  readonly onStep?: TransactionSenderOptions['onStep'];
};

export type Custody = ReturnType<typeof createCustody>;

const CLOSE_WAIT_MS = 5_000;

const walletIdsOf = ({ actions }: LedgerTransaction): string[] =>
  actions.flatMap((action) => ('walletId' in action ? [action.walletId] : []));

export const createCustody = (options: CustodyOptions) => {
  const { wallets, payments } = options;
  const notifier = createNotifier();
  const applyDeposits = async ({
    marketplaceId,
    address,
  }: {
    marketplaceId: string;
    address: string;
  }): Promise<boolean> => {
    const wallet = await wallets.findByAddress(marketplaceId, address);
    return wallet === null || (await options.pollNow({ marketplaceId, walletId: wallet.id })).kind === 'yes';
  };

  const sender = createTransactionSender({
    ...options,
    draw: createTransactionBuilder({ ...options, findWallets: payments.wallets }),
    applyDeposits,
    onSettled(marketplaceId, transaction) {
      notifier.notify([...paymentIdsOf(transaction.actions), ...walletIdsOf(transaction)]);
      // What came back has to be sent again, whoever had sent it first.
      if (transaction.state === 'FAILED') treasury.kick(marketplaceId);
    },
  });
  const platformWallets = createPlatformWallets({ ...options, sender, applyDeposits });
  const treasury = createTreasury({ ...options, platformWallets, sender, onMoved: notifier.notify });
  const shared = { ...options, notifier, kick: treasury.kick };

  return {
    sender,
    platformWallets,
    treasury,
    calls: createEscrowCalls({ ...options, sender }),
    fundWallet: createFundWallet({
      ...shared,
      ...(options.fundWaitMs === undefined ? {} : { waitMs: options.fundWaitMs }),
    }),
    activation: createActivation({ ...shared, sender }),
    /** Waits a moment for what is under way; whatever it does not wait for is resumed at the next start. */
    async close(): Promise<void> {
      const timer = new AbortController();
      const ended = Promise.all([treasury.close(), sender.close()]).then(() => timer.abort());
      await Promise.race([ended, pause(CLOSE_WAIT_MS, null, { signal: timer.signal }).catch(() => {})]);
    },
  };
};
