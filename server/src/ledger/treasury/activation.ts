// Activates wallets: each activation is queued once, the treasury creates many accounts in one transaction, and PENDING wallets are
// queued again until they are active.

import type { Amount } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';
import type { LocalNotifier } from './local-notifier.ts';
import type { TreasuryPaymentReads } from './queries.ts';
import { queueActivation } from './treasury-queue.ts';

type Place = { readonly marketplaceId: string; readonly walletId: string };

type ActivationOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'waitingWallets' | 'marketplaces'>;
  readonly wallets: Pick<WalletReads, 'find'>;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly notifier: LocalNotifier;
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

  /** The account existed already and the treasury has paid into it: only the wallet itself can create its trustline. */
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

  const queue = async (place: Place): Promise<void> => {
    const input = { walletId: place.walletId, amount: options.startingXlm };
    const { state } = await runCommand(submit, { command: queueActivation, input, context: contextOf(place) });
    if (state === 'queued') kick(place.marketplaceId);
    if (state === 'paid') await trust(place);
  };

  /** Never fails: a failed attempt costs only time, because the sweep finds PENDING wallets. */
  const begin = (place: Place): Promise<void> =>
    queue(place).catch((error) => onTrouble('a wallet could not be activated yet', error));

  return {
    begin,

    /** Continues all waiting activations, also those of other processes. */
    async sweep(): Promise<void> {
      const waiting = await payments.waitingWallets(SWEEP_MAX);
      await Promise.all(waiting.map(begin));
      for (const marketplaceId of await payments.marketplaces()) kick(marketplaceId);
    },

    /** Null when the wallet is not active in time. */
    async waitUntilActive(place: Place, withinMs: number = WAIT_MS): Promise<Wallet | null> {
      const { marketplaceId, walletId } = place;
      const read = async () => {
        const wallet = await wallets.find(marketplaceId, walletId);
        return wallet?.status === 'ACTIVE' ? wallet : null;
      };
      const active = await read();
      if (active) return active;
      await begin(place);
      return notifier.waitFor({ key: walletId, withinMs, read });
    },
  };
};
