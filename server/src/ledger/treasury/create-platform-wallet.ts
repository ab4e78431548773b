// Creates a marketplace's own wallet: its treasury or its platform wallet. There is one of each. An existing wallet is returned, and the
// prepared one is discarded.

import { command } from '../../commit/command.ts';
import { keepWallet, type PreparedWallet } from '../keys/keep-wallet.ts';
import { ownedBy, type Wallet, type WalletOwner } from '../keys/wallet.ts';

type PlatformOwner = Exclude<WalletOwner, 'user'>;

type CreatePlatformWalletInput = { readonly owner: PlatformOwner; readonly wallet: PreparedWallet };

export const createPlatformWallet = command<
  CreatePlatformWalletInput,
  { readonly wallet: Wallet; readonly created: boolean }
>({
  name: 'create-house-wallet',
  needs: ({ owner }) => ({ rows: [{ table: 'wallets', by: 'owner', value: ownedBy(owner, null) }] }),
  decide({ owner, wallet }, work) {
    const known = work.findBy('wallets', 'owner', ownedBy(owner, null));
    if (known) return { wallet: known, created: false };
    return { wallet: keepWallet(work, wallet, { owner, userId: null }), created: true };
  },
});
