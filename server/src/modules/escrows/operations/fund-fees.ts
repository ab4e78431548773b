// Sees to it that whoever signs next can pay the network for it.

import { ZERO } from '../../../books/money.ts';
import { type EscrowParts, type OperationContext, type Waiting, waiting } from '../../operations/operation-context.ts';

type Short = Waiting | { readonly kind: 'refused'; readonly reason: string };

/** Null when there is enough. */
export const seeToFees = async (
  parts: EscrowParts,
  { marketplaceId, operation, view }: OperationContext,
  signer: 'buyer' | 'seller' | 'platform',
): Promise<Short | null> => {
  const { walletId } = view.escrow[signer];
  const asked = { marketplaceId, walletId, currency: 'XLM', amount: ZERO, reference: operation.id } as const;
  const covered = await parts.fundWallet(asked);
  if (covered.kind === 'yes') return null;
  return covered.kind === 'no' ? { kind: 'refused', reason: covered.reason } : waiting(covered.reason);
};
