// A marketplace's own wallets, created when they are first needed: its treasury and its platform wallet. The treasury activates the
// others. The treasury itself is activated from outside: by the network's friendbot where there is one, by the operator elsewhere.

import { type Answer, no, unknown, yes } from '../../base/answer.ts';
import { createQueues } from '../../base/one-at-a-time.ts';
import { ZERO } from '../../books/money.ts';
import { type Context, command, runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import { keepWallet, ownedBy, type PreparedWallet, type Wallet, type WalletOwner } from '../keys/wallet.ts';
import type { PrepareWallet } from '../keys/wallet-keys.ts';
import type { WalletReads } from '../keys/wallet-queries.ts';
import { asUnknown, type Ledger, onLedger } from '../transactions/ledger.ts';
import type { TransactionSender } from '../transactions/transaction-sender.ts';

type Owner = Exclude<WalletOwner, 'user'>;

type PlatformWalletOptions = {
  readonly submit: Submit;
  readonly wallets: Pick<WalletReads, 'ofPlatform'>;
  readonly ledger: Pick<Ledger, 'account' | 'friendbot'>;
  readonly sender: Pick<TransactionSender, 'send'>;
  readonly prepare: PrepareWallet;
  /** Records the deposits at an address. */
  applyDeposits(place: { marketplaceId: string; address: string }): Promise<unknown>;
  readonly usdc: LedgerAsset;
  /** Gives an empty treasury test money; only where the ledger is a simulator. */
  fill?(address: string): Promise<void>;
  onTrouble(message: string, error: unknown): void;
};

export type PlatformWallets = ReturnType<typeof createPlatformWallets>;

/** The actor id and the request id are stored in the audit trail and keep their old names. */
const contextOf = (marketplaceId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'house' },
  requestId: `house-${marketplaceId}`,
});

const findOrCreate = async (
  options: PlatformWalletOptions,
  { marketplaceId, owner }: { marketplaceId: string; owner: Owner },
): Promise<Wallet> => {
  const known = await options.wallets.ofPlatform(marketplaceId, owner);
  if (known) return known;
  const wallet = await options.prepare(marketplaceId);
  const { wallet: created } = await runCommand(options.submit, {
    command: createPlatformWallet,
    input: { owner, wallet },
    context: contextOf(marketplaceId),
  });
  return created;
};

/** Yes: the account exists on the ledger. */
const createAccount = async ({ ledger }: PlatformWalletOptions, address: string): Promise<Answer<null>> => {
  const account = await ledger.account(address);
  if (account.kind !== 'yes') return asUnknown(account);
  if (account.value !== null) return yes(null);
  const requested = await ledger.friendbot(address);
  if (requested.kind === 'unknown') return requested;
  const created = await ledger.account(address);
  if (created.kind !== 'yes') return asUnknown(created);
  if (created.value !== null) return yes(null);
  return no(`The treasury has no account yet. Send XLM to ${address} to create it.`);
};

/** Creates the account, then the trustline, without which no payment in the asset can arrive. */
const activateTreasury = async (
  options: PlatformWalletOptions,
  { marketplaceId, wallet }: { marketplaceId: string; wallet: Wallet },
): Promise<Answer<Wallet>> => {
  const { address } = wallet;
  const created = await createAccount(options, address);
  if (created.kind !== 'yes') return created;
  await options.applyDeposits({ marketplaceId, address });
  const actions = [{ type: 'trust', walletId: wallet.id }] as const;
  const outcome = await options.sender.send({ marketplaceId, wallet, purpose: 'trust', actions });
  if (outcome.kind === 'no') return no(outcome.reason, { code: outcome.code });
  if (outcome.kind === 'unknown') return unknown(outcome.reason, { code: 'unclear' });
  return yes((await options.wallets.ofPlatform(marketplaceId, 'treasury')) ?? wallet);
};

export const createPlatformWallets = (options: PlatformWalletOptions) => {
  const { wallets, ledger } = options;
  const queues = createQueues();
  const filled = new Set<string>();

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
      options.onTrouble('the treasury could not be filled with test money', error);
    }
  };

  const treasury = async (marketplaceId: string): Promise<Answer<Wallet>> => {
    const wallet = await findOrCreate(options, { marketplaceId, owner: 'treasury' });
    const active =
      wallet.status === 'ACTIVE' ? yes(wallet) : await activateTreasury(options, { marketplaceId, wallet });
    if (active.kind === 'yes') await fill(marketplaceId, active.value);
    return active;
  };

  return {
    /** The active treasury, or why it is not active. */
    treasury: (marketplaceId: string): Promise<Answer<Wallet>> =>
      queues.run(marketplaceId, () => treasury(marketplaceId)),
    /** The treasury in any state; null when none was needed yet. */
    findTreasury: (marketplaceId: string): Promise<Wallet | null> => wallets.ofPlatform(marketplaceId, 'treasury'),
    /** The platform's wallet, which may still have to be activated. */
    platform: (marketplaceId: string): Promise<Wallet> => findOrCreate(options, { marketplaceId, owner: 'platform' }),
  };
};

type CreatePlatformWalletInput = { readonly owner: Owner; readonly wallet: PreparedWallet };

/** Stores a marketplace's own wallet. There is one of each owner: an existing wallet is returned, and the prepared one is discarded. */
export const createPlatformWallet = command<
  CreatePlatformWalletInput,
  { readonly wallet: Wallet; readonly created: boolean }
>({
  name: 'create-house-wallet',
  needs: ({ owner }) => ({ rows: [{ table: 'wallets', by: 'owner', value: ownedBy(owner, null) }] }),
  decide({ owner, wallet }, work) {
    const known = work.findBy('wallets', { by: 'owner', value: ownedBy(owner, null) });
    if (known) return { wallet: known, created: false };
    return { wallet: keepWallet(work, { prepared: wallet, owner, userId: null }), created: true };
  },
});
