// Addresses on the ledger: those of users, and the treasury's.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import { ROUTES } from '../printed/routes.ts';
import type {
  ChallengeWalletInput,
  DepositAddress,
  LinkWalletInput,
  ListWalletsQuery,
  ListWalletTransactionsQuery,
  ProveWalletInput,
  Wallet,
  WalletChallenge,
  WalletTransaction,
  WalletWithBalance,
} from '../printed/wallets.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const walletResource = (transport: Transport) => ({
  /** The primary wallet with its current balance on the ledger. */
  get: (userId: string, options?: CallOptions): Promise<WalletWithBalance> =>
    transport.call(ROUTES.getWallet, { params: { userId } }, options),

  /** The address for deposits on the ledger; deposits are credited automatically. */
  deposit: (userId: string, options?: CallOptions): Promise<DepositAddress> =>
    transport.call(ROUTES.getDepositAddress, { params: { userId } }, options),

  /** Incoming and outgoing payments, newest first. */
  transactions: (
    userId: string,
    query: ListWalletTransactionsQuery = {},
    options?: CallOptions,
  ): List<WalletTransaction> =>
    listing(transport, ROUTES.listWalletTransactions, { params: { userId }, query, options }),

  /** Links a wallet whose key the user holds. */
  link: <O extends CallOptions>(
    userId: string,
    input: LinkWalletInput,
    options?: O,
  ): Promise<MaybePreview<Wallet, O>> =>
    transport.change<Wallet, O>(ROUTES.linkWallet, { params: { userId }, body: input }, options),

  /** The custodial wallet and the linked wallets of a user, newest first. */
  list: (userId: string, query: ListWalletsQuery = {}, options?: CallOptions): List<Wallet> =>
    listing(transport, ROUTES.listWallets, { params: { userId }, query, options }),

  /** A challenge that a linked wallet signs to prove that the user holds its key; without `publicKey`, the wallet that was linked last. */
  challenge: (userId: string, input: ChallengeWalletInput = {}, options?: CallOptions): Promise<WalletChallenge> =>
    transport.call(ROUTES.challengeWallet, { params: { userId }, body: input }, options),

  /** Sends the signed challenge back. The wallet is then marked as proved. */
  prove: (userId: string, input: ProveWalletInput, options?: CallOptions): Promise<Wallet> =>
    transport.call(ROUTES.proveWallet, { params: { userId }, body: input }, options),

  /** The address where the operator deposits the money that covers the users' payments on the ledger. */
  treasuryDeposit: (options?: CallOptions): Promise<DepositAddress> =>
    transport.call(ROUTES.getTreasuryAddress, {}, options),
});
