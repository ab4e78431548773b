// Moves what contracts paid to the platform wallets into the treasuries. The treasuries need it: a refund pays the buyer in full in the
// books, while the contract paid the platform's fee out on the ledger.

import { type Amount, minus, ZERO } from '../../books/money.ts';
import type { DepositReads } from '../deposits/queries.ts';
import { assetOf, type Wallet } from '../keys/wallet.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';
import type { PlatformWallets } from './platform-wallets.ts';

export type SweepOptions = {
  /** The active platform wallets of all marketplaces. */
  wallets(): Promise<{ marketplaceId: string; wallet: Wallet }[]>;
  readonly reads: Pick<DepositReads, 'position'>;
  readonly platformWallets: Pick<PlatformWallets, 'findTreasury'>;
  readonly sender: Pick<TransactionSender, 'send'>;
  /** The native asset that a new wallet gets. This much stays for its minimum and fees, and a smaller surplus is not moved. */
  readonly startingXlm: Amount;
  onTrouble(message: string, error: unknown): void;
};

export const createSweep = ({ wallets, reads, platformWallets, sender, startingXlm, onTrouble }: SweepOptions) => {
  const kept = { USDC: ZERO, XLM: startingXlm };

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
      .filter(({ asset, amount }) => amount > (asset === 'XLM' ? startingXlm : ZERO))
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
    const sent = await sender.send({ marketplaceId, wallet, purpose: 'sweep', actions });
    if (sent.kind !== 'yes')
      onTrouble('fees could not be moved into the treasury; they will be retried', new Error(sent.reason));
  };

  return async (): Promise<void> => {
    for (const { marketplaceId, wallet } of await wallets()) await sweepOne(marketplaceId, wallet);
  };
};
