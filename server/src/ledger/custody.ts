// Puts the parts of custody that act on the ledger together: purser, house, treasury, cover, activation, and the calls of
// escrow contracts. Nothing here decides anything.

import { setTimeout as pause } from 'node:timers/promises';
import type { Amount } from '../books/money.ts';
import type { Submit } from '../commit/command.ts';
import { escrowActionIn } from '../modules/escrows/escrow-payments.ts';
import type { EscrowProvider, LedgerAsset } from '../providers/ports.ts';
import type { Signer } from './keys/signer.ts';
import type { PrepareWallet } from './keys/wallet-keys.ts';
import type { WalletReads } from './keys/wallet-queries.ts';
import { createDraw } from './transactions/build-transaction.ts';
import { createEscrowCalls } from './transactions/escrow-calls.ts';
import type { Ledger } from './transactions/ledger.ts';
import type { LedgerTransaction } from './transactions/ledger-transaction.ts';
import type { LedgerTransactionReads } from './transactions/queries.ts';
import { paymentIdsOf } from './transactions/record-transaction.ts';
import { createPurser, type PurserOptions } from './transactions/transaction-sender.ts';
import { createActivation } from './treasury/activation.ts';
import { createCover } from './treasury/fund-wallet.ts';
import { createBell } from './treasury/notifier.ts';
import { createHouse } from './treasury/platform-wallets.ts';
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
  readonly wallets: Pick<WalletReads, 'find' | 'findByAddress' | 'ofHouse'>;
  readonly transactions: LedgerTransactionReads;
  readonly payments: TreasuryPaymentReads;
  /** Takes what came in at a wallet into the books; see deposits.ts. */
  lookNow(place: { marketplaceId: string; walletId: string }): Promise<{ readonly kind: 'yes' | 'no' | 'unknown' }>;
  readonly startingXlm: Amount;
  readonly batchMax: number;
  /** How long `cover` waits for the treasury. */
  readonly coverWaitMs?: number;
  /** Gives a new treasury play money, where the ledger is a toy. */
  fill?(address: string): Promise<void>;
  /** A call that was made on behalf of this operation has ended, by whomever it was begun. */
  onEscrowSettled?(marketplaceId: string, operationId: string): void;
  onTrouble(message: string, error: unknown): void;
  readonly onStep?: PurserOptions['onStep'];
};

export type Custody = ReturnType<typeof createCustody>;

const CLOSE_WAIT_MS = 5_000;

const walletIdsOf = ({ actions }: LedgerTransaction): string[] =>
  actions.flatMap((action) => ('walletId' in action ? [action.walletId] : []));

export const createCustody = (options: CustodyOptions) => {
  const { wallets, payments } = options;
  const bell = createBell();
  const takeIn = async ({ marketplaceId, address }: { marketplaceId: string; address: string }): Promise<boolean> => {
    const wallet = await wallets.findByAddress(marketplaceId, address);
    return wallet === null || (await options.lookNow({ marketplaceId, walletId: wallet.id })).kind === 'yes';
  };

  const purser = createPurser({
    ...options,
    draw: createDraw({ ...options, findWallets: payments.wallets }),
    takeIn,
    onSettled(marketplaceId, transaction) {
      bell.ring([...paymentIdsOf(transaction.actions), ...walletIdsOf(transaction)]);
      // What came back has to be sent again, whoever had sent it first.
      if (transaction.state === 'FAILED') treasury.kick(marketplaceId);
      const call = escrowActionIn(transaction.actions);
      if (call) options.onEscrowSettled?.(marketplaceId, call.operationId);
    },
  });
  const house = createHouse({ ...options, purser, takeIn });
  const treasury = createTreasury({ ...options, house, purser, onMoved: bell.ring });
  const shared = { ...options, bell, kick: treasury.kick };

  return {
    purser,
    house,
    treasury,
    calls: createEscrowCalls({ ...options, purser }),
    cover: createCover({ ...shared, ...(options.coverWaitMs === undefined ? {} : { waitMs: options.coverWaitMs }) }),
    activation: createActivation({ ...shared, purser }),
    /** Waits a moment for what is under way; whatever it does not wait for is resumed at the next start. */
    async close(): Promise<void> {
      const timer = new AbortController();
      const ended = Promise.all([treasury.close(), purser.close()]).then(() => timer.abort());
      await Promise.race([ended, pause(CLOSE_WAIT_MS, null, { signal: timer.signal }).catch(() => {})]);
    },
  };
};
