// The escrow operations that a request can start. Each writes the operation's row first and resolves when the operation is done.

import type { Context } from '../../../commit/command.ts';
import type { Operations } from '../../operations/operations.ts';
import { beginEscrow } from '../begin-escrow.ts';
import { beginRefund, beginRelease } from '../begin-settlement.ts';
import { startFunding } from '../start-funding.ts';
import type { Parties } from './parties.ts';

type Parts = {
  readonly operations: Pick<Operations, 'start'>;
  /** The wallets of an order's parties. */
  readonly parties: Parties;
  readonly requirePaymentAccount: boolean;
};

type OrderRequest = { readonly orderId: string; readonly context: Context };

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
});
