// Activates wallets when they are first needed: each activation is queued once, the treasury sponsors many accounts in one transaction,
// and requested wallets are queued again until they are active. A wallet that no request needs is never put on the ledger.

import { DomainError } from '../../base/domain-error.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';
import { type ActivationLimits, dayAfter } from './activation-day.ts';
import { activationPlaces } from './activation-place.ts';
import type { LocalNotifier } from './local-notifier.ts';
import type { TreasuryPaymentReads } from './queries.ts';
import { queueActivation } from './treasury-queue.ts';

type Place = { readonly marketplaceId: string; readonly walletId: string };

type ActivationOptions = {
  readonly submit: Submit;
  readonly payments: Pick<TreasuryPaymentReads, 'waitingWallets' | 'marketplaces' | 'placesTaken'>;
  readonly wallets: Pick<WalletReads, 'find'>;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly notifier: LocalNotifier;
  kick(marketplaceId: string): void;
  /** How many wallets may be activated on one day. */
  readonly activationLimits?: ActivationLimits;
  /** The current day in UTC. */
  today?(): string;
  onTrouble(message: string, error: unknown): void;
};

export type Activation = ReturnType<typeof createActivation>;

type State = 'queued' | 'paid' | 'active' | 'limited';

const SWEEP_MAX = 1_000;
const WAIT_MS = 20_000;
const NO_LIMITS: ActivationLimits = { perMarketplace: null, overall: null };

const contextOf = ({ marketplaceId, walletId }: Place): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'activation' },
  requestId: `activation-${walletId}`,
});

const limitReached = (day: string): DomainError =>
  new DomainError('WALLET_ACTIVATION_LIMIT', { details: { resetsAt: dayAfter(day) } });

const utcDay = (): string => new Date().toISOString().slice(0, 10);

/**
 * Queues an activation within the limits of the day. A wallet that would be queued takes a place among those of all marketplaces first,
 * so that the place is counted before the activation is, whatever fails between the two commits.
 */
const createQueueing = ({ submit, activationLimits: limits = NO_LIMITS }: ActivationOptions, today: () => string) => {
  const places = activationPlaces(submit);

  return async (place: Place): Promise<State> => {
    const day = today();
    const { walletId } = place;
    const { perMarketplace, overall } = limits;
    const run = async (hasPlace: boolean) => {
      const input = { walletId, day, max: perMarketplace, hasPlace };
      return (await runCommand(submit, { command: queueActivation, input, context: contextOf(place) })).state;
    };
    const state = await run(overall === null);
    if (state !== 'unplaced') return state;
    if (!(await places.take({ walletId, day, max: overall! }))) return 'limited';
    const placed = await run(true);
    if (placed === 'limited') await places.giveBack({ walletId, day });
    return placed === 'unplaced' ? 'limited' : placed;
  };
};

export const createActivation = (options: ActivationOptions) => {
  const { payments, wallets, notifier, kick, onTrouble, today = utcDay, activationLimits = NO_LIMITS } = options;
  const queue = createQueueing(options, today);

  /** An earlier version paid into an account that existed already: only the wallet itself can create its trustline. */
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

  const request = async (place: Place): Promise<State> => {
    const state = await queue(place);
    if (state === 'queued') kick(place.marketplaceId);
    if (state === 'paid') await trust(place);
    return state;
  };

  /** Never fails: a failed attempt costs only time, because the sweep finds requested wallets. Null: the attempt failed. */
  const begin = (place: Place): Promise<State | null> =>
    request(place).catch((error) => {
      onTrouble('a wallet could not be activated yet', error);
      return null;
    });

  /** Requests the activation. Refuses with WALLET_ACTIVATION_LIMIT when the wallet has to wait for another day. */
  const beginOrRefuse = async (place: Place): Promise<void> => {
    const day = today();
    if ((await begin(place)) === 'limited') throw limitReached(day);
  };

  return {
    begin,
    beginOrRefuse,

    /** Continues all waiting activations, also those of other processes. */
    async sweep(): Promise<void> {
      const day = today();
      const { perMarketplace: max, overall } = activationLimits;
      const isFull = overall !== null && (await payments.placesTaken(day)) >= overall;
      const waiting = await payments.waitingWallets({ limit: SWEEP_MAX, day, max, isFull });
      await Promise.all(waiting.map(begin));
      for (const marketplaceId of await payments.marketplaces()) kick(marketplaceId);
    },

    /** Null when the wallet is not active in time. Refuses with WALLET_ACTIVATION_LIMIT when it has to wait for another day. */
    async waitUntilActive(place: Place, withinMs: number = WAIT_MS): Promise<Wallet | null> {
      const { marketplaceId, walletId } = place;
      const read = async () => {
        const wallet = await wallets.find(marketplaceId, walletId);
        return wallet?.status === 'ACTIVE' ? wallet : null;
      };
      const active = await read();
      if (active) return active;
      await beginOrRefuse(place);
      return notifier.waitFor({ key: walletId, withinMs, read });
    },
  };
};
