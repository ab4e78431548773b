// Marks a linked wallet as proved: its signed challenge was checked before. A wallet that is proved already is returned as it is.

import { DomainError } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import type { Wallet } from '../../ledger/keys/wallet.ts';

type ProveWalletInput = { readonly userId: string; readonly address: string };

export const proveWallet = command<ProveWalletInput, Wallet>({
  name: 'prove-wallet',
  needs: ({ userId, address }) => ({
    rows: [
      { table: 'users', id: userId },
      { table: 'wallets', by: 'address', value: address },
    ],
  }),
  decide({ userId, address }, work) {
    work.get('users', userId);
    const wallet = work.findBy('wallets', { by: 'address', value: address });
    if (wallet?.userId !== userId || wallet.type !== 'EXTERNAL') throw new DomainError('WALLET_NOT_FOUND');
    if (wallet.provedAt !== null) return wallet;
    const proved: Wallet = { ...wallet, provedAt: work.now, updatedAt: work.now };
    work.put('wallets', proved);
    work.emit({
      type: 'wallet.proved',
      aggregateId: wallet.id,
      userId,
      payload: { userId, walletId: wallet.id, ledgerAddress: address, provedAt: work.now },
    });
    work.audit({
      action: 'WALLET_PROVED',
      resourceType: 'Wallet',
      resourceId: wallet.id,
      userId,
      before: { provedAt: null },
      after: { provedAt: work.now, address },
    });
    return proved;
  },
});
