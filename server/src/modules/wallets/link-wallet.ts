// Links an external address, whose key the user holds, to the user. The custodial wallet stays the primary one, because we can sign only
// for that one. Linking the same address again returns the same wallet.

import { DomainError } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import { FIRST_CURSOR, ownedBy, type Wallet } from '../../ledger/keys/wallet.ts';

type LinkWalletInput = { readonly userId: string; readonly address: string };

type LinkWalletReply = {
  readonly wallet: Wallet;
  readonly created: boolean;
  /** The custodial wallet, which the user may now pay into from the linked one; null when it is active or there is none. */
  readonly needed: string | null;
};

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'activation-requested': { readonly walletId: string };
  }
}

export const linkWallet = command<LinkWalletInput, LinkWalletReply>({
  name: 'link-wallet',
  needs: ({ userId, address }) => ({
    rows: [
      { table: 'users', id: userId },
      { table: 'wallets', by: 'owner', value: ownedBy('user', userId) },
      { table: 'wallets', by: 'address', value: address },
    ],
  }),
  decide({ userId, address }, work) {
    const user = work.get('users', userId);
    const known = work.findBy('wallets', { by: 'address', value: address });
    if (known?.userId === userId) return { wallet: known, created: false, needed: null };
    if (known) {
      throw new DomainError('INVALID_STATE', {
        message: 'This address belongs to another wallet of the marketplace. Link an address that no other user has.',
        details: { currentState: 'LINKED', allowedActions: [] },
      });
    }
    const owned = work.listBy('wallets', { by: 'owner', value: ownedBy('user', userId) });
    const isPrimary = owned.length === 0;
    const wallet: Wallet = {
      id: work.newId('wallet'),
      owner: 'user',
      userId,
      address,
      type: 'EXTERNAL',
      sealedSecret: null,
      status: 'ACTIVE',
      isPrimary,
      paymentsCursor: FIRST_CURSOR,
      activationRequestedAt: null,
      activatedAt: null,
      sponsoredReserves: 0,
      provedAt: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('wallets', wallet);
    const needed = owned.find(({ type, status }) => type === 'INVISIBLE' && status === 'PENDING');
    if (needed && needed.activationRequestedAt === null) {
      work.put('wallets', { ...needed, activationRequestedAt: work.now, updatedAt: work.now });
    }
    if (isPrimary) {
      work.put('users', { ...user, ledgerAddress: address, ledgerLinkedAt: work.now, updatedAt: work.now });
    }
    work.emit({
      type: 'user.ledger_linked',
      aggregateId: userId,
      userId,
      payload: { userId, ledgerAddress: address, linkedAt: work.now },
    });
    work.audit({
      action: 'WALLET_LINKED',
      resourceType: 'Wallet',
      resourceId: wallet.id,
      userId,
      after: { address, type: wallet.type, isPrimary },
    });
    return { wallet, created: true, needed: needed?.id ?? null };
  },
  reactions: ({ reply }) =>
    reply?.needed ? [{ name: 'activation-requested', payload: { walletId: reply.needed } }] : [],
});
