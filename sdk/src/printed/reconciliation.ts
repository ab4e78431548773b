// What these routes take and give.
// Printed from contract/src/api/reconciliation.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type Break = {
  /**
   * The kind of difference: an asset at one of our addresses, an escrow contract, the balance at the payment provider,
   * or a signed escrow webhook about money that provider and ledger do not confirm.
   */
  kind: 'wallet-usdc' | 'wallet-xlm' | 'contract' | 'payment-float' | 'escrow-event';
  /**
   * The address, the contract, `payment-provider`, `credit-line` for a float that is below what the credit line allows,
   * or the order of the webhook.
   */
  subject: string;
  /** The balance in the books; 0 for a webhook. Decimal string with seven decimal places. */
  expected: string;
  /**
   * The balance at the outside system; for a webhook the amount that it reports. Decimal string with seven decimal
   * places.
   */
  actual: string;
  /** Actual minus expected. Decimal string with seven decimal places. */
  difference: string;
  /** False once the two agree again. */
  isOpen: boolean;
  /** Age of the difference; for a resolved one, how long it lasted. */
  ageSeconds: number;
  /** When the difference was first seen. */
  firstSeenAt: string;
  /** When the difference was last seen. */
  lastSeenAt: string;
  /** When both sides agreed again. */
  resolvedAt: string | null;
};

export type FloatTotal = {
  /** Currency of the payment provider's balance. */
  currency: 'USD';
  /** What the books of all marketplaces have at the payment provider. Decimal string with two decimal places. */
  held: string;
  /** Float on its way from one marketplace to another. Decimal string with two decimal places. */
  inTransit: string;
  /** The payment provider's balance now. Null when it does not answer. Decimal string with two decimal places. */
  provider: string | null;
  /** What the provider has beyond the books. Decimal string with two decimal places. */
  difference: string | null;
  /** Payments that may be completed at the provider and not in the books yet; they may explain a difference. */
  openPayments: number;
};

export type ListBreaksQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the previous page. */
  cursor?: string;
  /**
   * The kind of difference: an asset at one of our addresses, an escrow contract, the balance at the payment provider,
   * or a signed escrow webhook about money that provider and ledger do not confirm.
   */
  kind?: 'wallet-usdc' | 'wallet-xlm' | 'contract' | 'payment-float' | 'escrow-event';
  /** Only breaks of this address, contract or order. */
  subject?: string;
  /** Only open ones, or only resolved ones. */
  open?: boolean;
};
