// Brings wallets to life: each is asked for once, the treasury makes many in one transaction, and what is still PENDING
// is asked for again until it is done.

import type { Amount } from '../../books/money.ts';
import type { Context, Submit } from '../../commit/command.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';
import type { Notifier } from './notifier.ts';
import type { TreasuryPaymentReads } from './queries.ts';
import { queueActivation } from './queue-activation.ts';

type Place = { readonly marketplaceId: string; readonly walletId: string };

export type ActivationOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'waitingWallets' | 'marketplaces'>;
  readonly wallets: Pick<WalletReads, 'find'>;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly notifier: Notifier;
  kick(marketplaceId: string): void;
  readonly startingXlm: Amount;
  onTrouble(message: string, error: unknown): void;
};

export type Activation = ReturnType<typeof createActivation>;

const SWEEP_MAX = 1_000;
const WAIT_MS = 20_000;

export const createActivation = (options: ActivationOptions) => {
  const { submit, payments, wallets, notifier, kick, onTrouble } = options;

  const contextOf = ({ marketplaceId, walletId }: Place): Context => ({
    marketplaceId,
    actor: { type: 'system', id: 'activation' },
    requestId: `activation-${walletId}`,
  });

  /** Somebody else had made the account, and the treasury has paid into it: only the wallet itself can trust the asset. */
  const trust = async ({ marketplaceId, walletId }: Place): Promise<void> => {
    const wallet = await wallets.find(marketplaceId, walletId);
    if (wallet?.status !== 'PENDING') return;
    const sent = await options.sender.send({
      marketplaceId,
      wallet,
      purpose: 'trust',
      actions: [{ type: 'trust', walletId }],
    });
    if (sent.kind !== 'yes') throw new Error(sent.reason);
  };

  const ask = async (place: Place): Promise<void> => {
    const input = { walletId: place.walletId, amount: options.startingXlm };
    const outcome = await submit({ command: queueActivation, input, context: contextOf(place) });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    if (outcome.reply.state === 'queued') kick(place.marketplaceId);
    if (outcome.reply.state === 'paid') await trust(place);
  };

  /** Never fails: a missed word costs only time, because the sweep looks for what is still PENDING. */
  const begin = (place: Place): Promise<void> =>
    ask(place).catch((error) => onTrouble('a wallet could not be activated yet', error));

  return {
    begin,

    /** Takes up whatever waits, also what another process left behind. */
    async sweep(): Promise<void> {
      const waiting = await payments.waitingWallets(SWEEP_MAX);
      await Promise.all(waiting.map(begin));
      for (const marketplaceId of await payments.marketplaces()) kick(marketplaceId);
    },

    /** The wallet once it is active; null when it is not within the time. */
    async waitUntilActive(place: Place, withinMs: number = WAIT_MS): Promise<Wallet | null> {
      const { marketplaceId, walletId } = place;
      const look = async () => {
        const wallet = await wallets.find(marketplaceId, walletId);
        return wallet?.status === 'ACTIVE' ? wallet : null;
      };
      const active = await look();
      if (active) return active;
      await begin(place);
      return notifier.waitFor({ key: walletId, withinMs, look });
    },
  };
};
