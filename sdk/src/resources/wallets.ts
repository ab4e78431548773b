// Addresses on the ledger: a user's own, and the treasury's.

import { type List, listing } from '../pages.ts';
import { ROUTES } from '../printed/routes.ts';
import type {
  DepositAddress,
  LinkWalletInput,
  ListWalletTransactionsQuery,
  Wallet,
  WalletTransaction,
  WalletWithBalance,
} from '../printed/wallets.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const walletResource = (transport: Transport) => ({
  /** The primary wallet and what the ledger shows there now. */
  get: (userId: string, options?: CallOptions): Promise<WalletWithBalance> =>
    transport.call(ROUTES.getWallet, { params: { userId } }, options),

  /** Where to pay in on the ledger; what arrives is credited by itself. */
  deposit: (userId: string, options?: CallOptions): Promise<DepositAddress> =>
    transport.call(ROUTES.getDepositAddress, { params: { userId } }, options),

  /** What came in and went out, newest first. */
  transactions: (
    userId: string,
    query: ListWalletTransactionsQuery = {},
    options?: CallOptions,
  ): List<WalletTransaction> =>
    listing(transport, ROUTES.listWalletTransactions, { params: { userId }, query, options }),

  /** A wallet of the user's own, whose key is not kept here. */
  link: (userId: string, input: LinkWalletInput, options?: CallOptions): Promise<Wallet> =>
    transport.call(ROUTES.linkWallet, { params: { userId }, body: input }, options),

  /** Where the operator pays money in that then covers the users' payments on the ledger. */
  treasuryDeposit: (options?: CallOptions): Promise<DepositAddress> =>
    transport.call(ROUTES.getTreasuryAddress, {}, options),
});
