// Links an external address, whose key the user holds, to the user. The custodial wallet stays the primary one, because we can sign only
// for that one. Linking the same address again returns the same wallet.

import { DomainError } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import { FIRST_CURSOR, ownedBy, type Wallet } from '../../ledger/keys/wallet.ts';

type LinkWalletInput = { readonly userId: string; readonly address: string };

export const linkWallet = command<LinkWalletInput, { readonly wallet: Wallet; readonly created: boolean }>({
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
    if (known?.userId === userId) return { wallet: known, created: false };
    if (known) {
      throw new DomainError('INVALID_STATE', {
        message: 'This address belongs to another wallet of the marketplace. Link an address that no other user has.',
        details: { currentState: 'LINKED', allowedActions: [] },
      });
    }
    const isPrimary = work.listBy('wallets', { by: 'owner', value: ownedBy('user', userId) }).length === 0;
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
      activatedAt: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('wallets', wallet);
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
    return { wallet, created: true };
  },
});
