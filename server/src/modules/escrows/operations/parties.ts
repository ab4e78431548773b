// The wallets that take part in an order's escrow: the buyer's, the seller's and the platform's. Wallets of new users may
// still be on their way to the ledger, so they are waited for; the command that claims has the last word.

import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { Activation } from '../../../ledger/treasury/activation.ts';
import type { PlatformWallets } from '../../../ledger/treasury/platform-wallets.ts';
import type { OrderView } from '../../orders/order-view.ts';
import type { EscrowParty } from '../escrow.ts';

export type PartiesOptions = {
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  custodialOf(marketplaceId: string, userId: string): Promise<Wallet | null>;
  readonly platformWallets: Pick<PlatformWallets, 'platform'>;
  readonly activation: Pick<Activation, 'waitUntilActive'>;
  readonly waitMs: number;
};

type Named = {
  readonly buyer: EscrowParty | null;
  readonly seller: EscrowParty | null;
  readonly platform: EscrowParty | null;
};

export type Parties = ReturnType<typeof createParties>;

const NOBODY: Named = { buyer: null, seller: null, platform: null };

export const createParties = (options: PartiesOptions) => {
  const alive = async (marketplaceId: string, wallet: Wallet | null): Promise<EscrowParty | null> => {
    if (!wallet) return null;
    const { waitMs } = options;
    const active =
      wallet.status === 'ACTIVE'
        ? wallet
        : await options.activation.waitUntilActive({ marketplaceId, walletId: wallet.id }, waitMs);
    return active && { walletId: active.id, address: active.address };
  };

  return async (marketplaceId: string, orderId: string): Promise<Named> => {
    const view = await options.findOrder(marketplaceId, orderId);
    // It will be refused anyway: nothing is waited for.
    if (view?.order.status !== 'FUNDS_RESERVED' || view.escrow) return NOBODY;
    const { buyerId, sellerId } = view.order;
    const [buyer, seller, platform] = await Promise.all([
      options.custodialOf(marketplaceId, buyerId),
      options.custodialOf(marketplaceId, sellerId),
      options.platformWallets.platform(marketplaceId),
    ]);
    const named = await Promise.all([buyer, seller, platform].map((wallet) => alive(marketplaceId, wallet)));
    return { buyer: named[0] ?? null, seller: named[1] ?? null, platform: named[2] ?? null };
  };
};
