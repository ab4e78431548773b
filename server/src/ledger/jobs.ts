// The scheduled jobs of the ledger. Each one finds the work that a crash, an unreachable ledger or another process left behind.

import { type Amount, minus, plus, ZERO } from '../books/money.ts';
import { scheduled } from '../jobs/schedule.ts';
import type { Job } from '../jobs/scheduler.ts';
import { ACCOUNT_RESERVES, lockedBy, TRUSTLINE_RESERVES } from '../providers/ledger-reserve.ts';
import type { DepositReads } from './deposits/queries.ts';
import { assetOf, type Wallet } from './keys/wallet.ts';
import type { LedgerAction } from './transactions/ledger-transaction.ts';
import type { TransactionSender } from './transactions/transaction-sender.ts';
import type { FundWallet } from './treasury/fund-wallet.ts';
import type { PlatformWallets } from './treasury/platform-wallets.ts';

/** Finishes open transactions. In between, the process that met an unknown outcome retries it. */
export const resumeTransactions = (options: { resumeAll(): Promise<void> }): Job => ({
  ...scheduled('resume-transactions'),
  atStart: true,
  run: options.resumeAll,
});

/** Activates PENDING wallets and pays queued treasury payments. A new user's wallet is activated without waiting for this job. */
export const activateWallets = (options: { sweep(): Promise<void> }): Job => ({
  ...scheduled('activate-wallets'),
  atStart: true,
  run: options.sweep,
});

/** Moves the platform's fees from its wallets into the treasuries. */
export const sweepFees = (sweep: () => Promise<void>): Job => ({
  ...scheduled('sweep-fees'),
  run: sweep,
});

type SweepOptions = {
  /** The active platform wallets of all marketplaces. */
  wallets(): Promise<{ marketplaceId: string; wallet: Wallet }[]>;
  readonly reads: Pick<DepositReads, 'position'>;
  readonly platformWallets: Pick<PlatformWallets, 'findTreasury'>;
  readonly sender: Pick<TransactionSender, 'send'>;
  /** Pays the fees of the wallet's next transactions. */
  readonly fundWallet: FundWallet;
  /** The native asset that a wallet has for fees. This much stays, and a smaller surplus is not moved. */
  readonly feesXlm: Amount;
  onTrouble(message: string, error: unknown): void;
};

/**
 * Moves the money that contracts paid to the platform wallets into the treasuries. The treasuries need it: a refund pays the buyer in
 * full in the books, while the contract paid the platform's fee out on the ledger.
 */
export const createSweep = (options: SweepOptions) => {
  const { wallets, reads, platformWallets, sender, fundWallet, onTrouble } = options;
  // A wallet of an earlier version locks its own reserve.
  const kept = { USDC: ZERO, XLM: plus(options.feesXlm, lockedBy(ACCOUNT_RESERVES + TRUSTLINE_RESERVES)) };

  const sweepOne = async (marketplaceId: string, wallet: Wallet): Promise<void> => {
    const treasury = await platformWallets.findTreasury(marketplaceId);
    if (treasury?.status !== 'ACTIVE') return;
    const { holdings } = await reads.position({ marketplaceId, address: wallet.address });
    const actions = holdings
      .map(({ currency, amount }) => ({
        currency,
        asset: assetOf(currency),
        amount: minus(amount, kept[assetOf(currency)]),
      }))
      .filter(({ asset, amount }) => amount > kept[asset])
      .map(
        ({ currency, asset, amount }): LedgerAction => ({
          type: 'pay',
          to: treasury.address,
          asset,
          currency,
          units: String(amount),
          paymentId: null,
        }),
      );
    if (actions.length === 0) return;
    const place = { marketplaceId, walletId: wallet.id };
    const funded = await fundWallet({ ...place, currency: 'XLM', amount: ZERO, reference: `sweep-${wallet.id}` });
    const sent =
      funded.kind === 'yes' ? await sender.send({ marketplaceId, wallet, purpose: 'sweep', actions }) : funded;
    if (sent.kind !== 'yes')
      onTrouble('fees could not be moved into the treasury; they will be retried', new Error(sent.reason));
  };

  return async (): Promise<void> => {
    for (const { marketplaceId, wallet } of await wallets()) await sweepOne(marketplaceId, wallet);
  };
};
