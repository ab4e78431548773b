// Stores the secrets that a rotation resealed. A wallet that changed since it was read is skipped: the next run finds it.

import { command } from '../../commit/command.ts';

export type ResealedWallet = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Ids of the key-encryption keys, for the audit trail, which never contains the sealed texts. */
  readonly fromKeyId: string;
  readonly toKeyId: string;
};

type RotateInput = { readonly wallets: readonly ResealedWallet[] };

export const rotateWalletKey = command<RotateInput, { readonly rotated: number }>({
  name: 'rotate-wallet-key',
  needs: ({ wallets }) => ({ rows: wallets.map(({ id }) => ({ table: 'wallets', id })) }),
  decide({ wallets }, work) {
    let rotated = 0;
    for (const { id, from, to, fromKeyId, toKeyId } of wallets) {
      const wallet = work.find('wallets', id);
      if (wallet?.sealedSecret !== from) continue;
      work.put('wallets', { ...wallet, sealedSecret: to, updatedAt: work.now });
      work.audit({
        action: 'WALLET_KEY_ROTATED',
        resourceType: 'Wallet',
        resourceId: id,
        ...(wallet.userId === null ? {} : { userId: wallet.userId }),
        before: { keyEncryptionKey: fromKeyId },
        after: { keyEncryptionKey: toKeyId },
      });
      rotated += 1;
    }
    return { rotated };
  },
});
