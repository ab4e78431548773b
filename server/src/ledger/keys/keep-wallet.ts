// Stores a prepared custodial wallet: PENDING until its account is on the ledger.

import type { UnitOfWork } from '../../commit/command.ts';
import type { Wallet, WalletOwner } from './wallet.ts';

/** A wallet that is created before the command that stores it: sealing a secret takes longer than a decision may. */
export type PreparedWallet = { readonly id: string; readonly address: string; readonly sealedSecret: string };

/** The cursor before the first payment of an account. */
export const FIRST_CURSOR = '0';

type Of = { readonly owner: WalletOwner; readonly userId: string | null };

export const keepWallet = (work: UnitOfWork, prepared: PreparedWallet, { owner, userId }: Of): Wallet => {
  const wallet: Wallet = {
    ...prepared,
    owner,
    userId,
    type: 'INVISIBLE',
    status: 'PENDING',
    isPrimary: true,
    paymentsCursor: FIRST_CURSOR,
    activatedAt: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
  work.put('wallets', wallet);
  work.audit({
    action: 'WALLET_CREATED',
    resourceType: 'Wallet',
    resourceId: wallet.id,
    ...(userId === null ? {} : { userId }),
    after: { owner, address: wallet.address, type: wallet.type, status: wallet.status },
  });
  return wallet;
};
