// What these routes take and give.
// Printed from contract/src/api/reconciliation.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type Break = {
  /** What differs: an asset at one of our addresses, an escrow contract, or what the payment provider holds. */
  kind: 'wallet-usdc' | 'wallet-xlm' | 'contract' | 'payment-float';
  /** The address, the contract, or `payment-provider`. */
  subject: string;
  /** What the books have there. Decimal string with seven places. */
  expected: string;
  /** What the outside system shows. Decimal string with seven places. */
  actual: string;
  /** Actual less expected. Decimal string with seven places. */
  difference: string;
  /** False once the two agree again. */
  isOpen: boolean;
  /** How long it has been there, or was there. */
  ageSeconds: number;
  /** When it was first seen. */
  firstSeenAt: string;
  /** When it was last seen. */
  lastSeenAt: string;
  /** When the two were seen to agree again. */
  resolvedAt: string | null;
};

export type ListBreaksQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the page before. */
  cursor?: string;
  /** What differs: an asset at one of our addresses, an escrow contract, or what the payment provider holds. */
  kind?: 'wallet-usdc' | 'wallet-xlm' | 'contract' | 'payment-float';
  /** Only breaks of this address or contract. */
  subject?: string;
  /** Only open ones, or only resolved ones. */
  open?: boolean;
};
