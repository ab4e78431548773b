// A marketplace's own wallets, made when they are first needed. The treasury lives first and brings the others to life,
// so it alone needs somebody from outside: the network's account maker where there is one, the operator elsewhere.

import { ZERO } from '../../books/money.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { PrepareWallet } from '../keys/wallet-keys.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import { type Ledger, onLedger } from '../transactions/ledger.ts';
import { createQueues } from '../transactions/queues.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';
import { createPlatformWallet } from './create-platform-wallet.ts';

type Owner = 'treasury' | 'platform';

export type Ready =
  | { readonly kind: 'yes'; readonly wallet: Wallet }
  | { readonly kind: 'no' | 'unknown'; readonly reason: string };

export type PlatformWalletOptions = {
  readonly submit: Submit;
  readonly wallets: Pick<WalletReads, 'ofPlatform'>;
  readonly ledger: Pick<Ledger, 'account' | 'friendbot'>;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly prepare: PrepareWallet;
  /** Takes what came in at an address into the books. */
  applyDeposits(place: { marketplaceId: string; address: string }): Promise<unknown>;
  readonly usdc: LedgerAsset;
  /** Where money is only play money, a treasury that has none is filled by itself. */
  fill?(address: string): Promise<void>;
  onTrouble(message: string, error: unknown): void;
};

export type PlatformWallets = ReturnType<typeof createPlatformWallets>;

export const createPlatformWallets = (options: PlatformWalletOptions) => {
  const { submit, wallets, ledger, sender } = options;
  const queues = createQueues();
  const filled = new Set<string>();

  const contextOf = (marketplaceId: string): Context => ({
    marketplaceId,
    actor: { type: 'system', id: 'house' },
    requestId: `house-${marketplaceId}`,
  });

  const walletOf = async (marketplaceId: string, owner: Owner): Promise<Wallet> => {
    const known = await wallets.ofPlatform(marketplaceId, owner);
    if (known) return known;
    const wallet = await options.prepare(marketplaceId);
    const context = contextOf(marketplaceId);
    const outcome = await submit({ command: createPlatformWallet, input: { owner, wallet }, context });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    return outcome.reply.wallet;
  };

  /** Its account, then the asset that it has to trust before anybody can pay it. */
  const bringToLife = async (marketplaceId: string, wallet: Wallet): Promise<Ready> => {
    const { address } = wallet;
    const account = await ledger.account(address);
    if (account.kind !== 'yes') return { kind: 'unknown', reason: account.reason };
    if (account.value === null) {
      const made = await ledger.friendbot(address);
      if (made.kind === 'unknown') return { kind: 'unknown', reason: made.reason };
      const there = await ledger.account(address);
      if (there.kind !== 'yes') return { kind: 'unknown', reason: there.reason };
      if (there.value === null) {
        return { kind: 'no', reason: `The treasury has no account yet. Send XLM to ${address} to make it.` };
      }
    }
    await options.applyDeposits({ marketplaceId, address });
    const actions = [{ type: 'trust', walletId: wallet.id }] as const;
    const sent = await sender.send({ marketplaceId, wallet, purpose: 'trust', actions });
    if (sent.kind !== 'yes') return sent;
    return { kind: 'yes', wallet: (await wallets.ofPlatform(marketplaceId, 'treasury')) ?? wallet };
  };

  const fill = async (marketplaceId: string, { address }: Wallet): Promise<void> => {
    if (!options.fill || filled.has(address)) return;
    try {
      const account = await ledger.account(address);
      if (account.kind !== 'yes' || account.value === null) return;
      if (onLedger(account.value, { asset: 'USDC', usdc: options.usdc }) === ZERO) {
        await options.fill(address);
        await options.applyDeposits({ marketplaceId, address });
      }
      filled.add(address);
    } catch (error) {
      options.onTrouble('the treasury could not be filled', error);
    }
  };

  const treasury = async (marketplaceId: string): Promise<Ready> => {
    const wallet = await walletOf(marketplaceId, 'treasury');
    const ready: Ready =
      wallet.status === 'ACTIVE' ? { kind: 'yes', wallet } : await bringToLife(marketplaceId, wallet);
    if (ready.kind === 'yes') await fill(marketplaceId, ready.wallet);
    return ready;
  };

  return {
    /** The treasury once it is active, or why it is not. */
    treasury: (marketplaceId: string): Promise<Ready> => queues.run(marketplaceId, () => treasury(marketplaceId)),
    /** The treasury as it is; null when none was needed yet. */
    findTreasury: (marketplaceId: string): Promise<Wallet | null> => wallets.ofPlatform(marketplaceId, 'treasury'),
    /** The platform's wallet, which may still have to be activated. */
    platform: (marketplaceId: string): Promise<Wallet> => walletOf(marketplaceId, 'platform'),
  };
};
