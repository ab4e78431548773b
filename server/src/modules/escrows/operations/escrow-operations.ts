// The escrow operations that a request can start, and the wallets of the parties that a new escrow needs. Each operation writes its row
// first and resolves when it is done.

import { DomainError } from '../../../base/domain-error.ts';
import type { Context } from '../../../commit/command.ts';
import type { Wallet } from '../../../ledger/keys/wallet.ts';
import type { Activation } from '../../../ledger/treasury/activation.ts';
import type { PlatformWallets } from '../../../ledger/treasury/platform-wallets.ts';
import type { Operations } from '../../operations/operations.ts';
import type { OrderView } from '../../orders/order.ts';
import { beginEscrow } from '../begin-escrow.ts';
import type { EscrowParty } from '../escrow.ts';
import { beginMilestoneRefund, beginMilestoneRelease } from '../pay-milestone.ts';
import { beginRefund, beginRelease } from '../release-and-refund.ts';
import { startFunding } from '../start-funding.ts';

type PartiesOptions = {
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

type Parties = ReturnType<typeof createParties>;

const NO_WALLETS: Named = { buyer: null, seller: null, platform: null };

/** A wallet that is being activated is not a missing one: the same request succeeds a little later. */
const notActiveYet = (): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message:
      'A wallet of this order is not active on the ledger yet. Send the request again in a few seconds, or after the release while payments are on hold.',
    details: { provider: 'ledger-network' },
  });

/**
 * Finds the wallets of an order's escrow: the buyer's, the seller's and the platform's. It waits for wallets of new users that are not
 * active yet. The command that claims the operation makes the final check.
 */
export const createParties = (options: PartiesOptions) => {
  const activeParty = async (marketplaceId: string, wallet: Wallet | null): Promise<EscrowParty | null> => {
    if (!wallet || wallet.sealedSecret === null) return null;
    const { id: walletId, address } = wallet;
    if (wallet.status === 'ACTIVE') return { walletId, address };
    const active = await options.activation.waitUntilActive({ marketplaceId, walletId }, options.waitMs);
    if (!active) throw notActiveYet();
    return { walletId, address };
  };

  return async (marketplaceId: string, orderId: string): Promise<Named> => {
    const view = await options.findOrder(marketplaceId, orderId);
    // The command will refuse: do not wait for wallets.
    if (view?.order.status !== 'FUNDS_RESERVED' || view.escrow) return NO_WALLETS;
    const { buyerId, sellerId } = view.order;
    const [buyer, seller, platform] = await Promise.all([
      options.custodialOf(marketplaceId, buyerId),
      options.custodialOf(marketplaceId, sellerId),
      options.platformWallets.platform(marketplaceId),
    ]);
    const named = await Promise.all([buyer, seller, platform].map((wallet) => activeParty(marketplaceId, wallet)));
    return { buyer: named[0] ?? null, seller: named[1] ?? null, platform: named[2] ?? null };
  };
};

type Parts = {
  readonly operations: Pick<Operations, 'start'>;
  /** The wallets of an order's parties. */
  readonly parties: Parties;
  readonly requirePaymentAccount: boolean;
};

type OrderRequest = { readonly orderId: string; readonly context: Context };
type MilestoneRequest = OrderRequest & { readonly ref: string };

export type EscrowOperations = ReturnType<typeof createEscrowOperations>;

export const createEscrowOperations = ({ operations, parties, requirePaymentAccount }: Parts) => ({
  async createEscrow({ orderId, context }: OrderRequest): Promise<void> {
    const sinceMs = performance.now();
    const wallets = await parties(context.marketplaceId, orderId);
    const input = { orderId, requirePaymentAccount, ...wallets };
    await operations.start({ command: beginEscrow, input, context, sinceMs });
  },

  fundEscrow: ({ orderId, context }: OrderRequest): Promise<void> =>
    operations.start({ command: startFunding, input: { orderId }, context }),

  release: ({ context, ...input }: OrderRequest & { readonly reason: string | null }): Promise<void> =>
    operations.start({ command: beginRelease, input, context }),

  refund: ({ context, ...input }: OrderRequest & { readonly reason: string }): Promise<void> =>
    operations.start({ command: beginRefund, input, context }),

  releaseMilestone: ({ context, ...input }: MilestoneRequest & { readonly reason: string | null }): Promise<void> =>
    operations.start({ command: beginMilestoneRelease, input, context }),

  refundMilestone: ({ context, ...input }: MilestoneRequest & { readonly reason: string }): Promise<void> =>
    operations.start({ command: beginMilestoneRefund, input, context }),
});
