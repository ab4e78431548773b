// Puts a prepared custodial wallet into the books' room: PENDING until its account is on the ledger.

import type { Desk } from '../../commit/command.ts';
import type { PreparedWallet } from './prepared-wallet.ts';
import type { Wallet, WalletOwner } from './wallet.ts';

/** Before the first payment of an account. */
export const FIRST_CURSOR = '0';

type Of = { readonly owner: WalletOwner; readonly userId: string | null };

export const keepWallet = (desk: Desk, prepared: PreparedWallet, { owner, userId }: Of): Wallet => {
  const wallet: Wallet = {
    ...prepared,
    owner,
    userId,
    type: 'INVISIBLE',
    status: 'PENDING',
    isPrimary: true,
    paymentsCursor: FIRST_CURSOR,
    activatedAt: null,
    createdAt: desk.now,
    updatedAt: desk.now,
  };
  desk.put('wallets', wallet);
  desk.audit({
    action: 'WALLET_CREATED',
    resourceType: 'Wallet',
    resourceId: wallet.id,
    ...(userId === null ? {} : { userId }),
    after: { owner, address: wallet.address, type: wallet.type, status: wallet.status },
  });
  return wallet;
};
