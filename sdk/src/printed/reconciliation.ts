// What these routes take and give.
// Printed from contract/src/api/reconciliation.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';

export type Break = {
  /** Kind and subject, joined by a colon. The `resourceId` of a correction `close-break`. */
  id: string;
  /**
   * The kind of difference: an asset at one of our addresses, an escrow contract, the balance at the payment provider,
   * a signed escrow webhook about money that provider and ledger do not confirm, a payment to one of our addresses that
   * cannot be credited, an order whose funding brought less into its contract than its amount, a payment of one of our
   * wallets on the ledger that nothing in the books explains, a payout of the payment provider without a withdrawal, a
   * payout that the payment provider executed over another amount, or a top-up that was paid after it had ended.
   */
  kind: 'wallet-usdc' | 'wallet-xlm' | 'contract' | 'payment-float' | 'escrow-event' | 'deposit' | 'short-funding' | 'unexplained-payment' | 'lost-payout' | 'payout-amount' | 'late-topup';
  /**
   * The address, the contract, `payment-provider`, `credit-line` for a float that is below what the credit line allows,
   * the order of the webhook, the ledger operation of a payment that was not credited, the order of a short funding,
   * the transaction and the number of an unexplained payment in it, the payout at the payment provider, the withdrawal,
   * or the top-up.
   */
  subject: string;
  /**
   * The balance in the books; 0 for a webhook, a late top-up, a payment that was not credited, and what nothing
   * explains; the amount of the order for a short funding, and of the withdrawal for a payout. Decimal string with
   * seven decimal places.
   */
  expected: Amount;
  /**
   * The balance at the outside system; for a webhook the amount that it reports, for a payment, payout or top-up its
   * amount, for a short funding what is in the contract. Decimal string with seven decimal places.
   */
  actual: Amount;
  /** Actual minus expected. Decimal string with seven decimal places. */
  difference: Amount;
  /** What happened with a payment, in a sentence. Null for a difference between two balances. */
  reason: string | null;
  /** Whose address it is: of a user, of the treasury, or of the wallet for platform fees. Null for other subjects. */
  owner: 'user' | 'treasury' | 'platform' | null;
  /** The user of the address, the withdrawal or the top-up. */
  userId: string | null;
  /** The order of the contract, the webhook or the funding. */
  orderId: string | null;
  /** False once the two agree again, or once a correction has closed it. */
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
  held: Amount;
  /** Float on its way from one marketplace to another. Decimal string with two decimal places. */
  inTransit: Amount;
  /** The payment provider's balance now. Null when it does not answer. Decimal string with two decimal places. */
  provider: Amount | null;
  /** What the provider has beyond the books. Decimal string with two decimal places. */
  difference: Amount | null;
  /** Payments that may be completed at the provider and not in the books yet; they may explain a difference. */
  openPayments: number;
};

export type Surplus = {
  /** The escrow contract. */
  contractId: string;
  /** The order of the contract. */
  orderId: string | null;
  /** What the contract has to hold. Decimal string with seven decimal places. */
  expected: Amount;
  /** What the contract holds. Decimal string with seven decimal places. */
  actual: Amount;
  /** What others paid into the contract. Decimal string with seven decimal places. */
  amount: Amount;
  /** False once the money is out of the contract. */
  isOpen: boolean;
  /** When the surplus was first seen. */
  firstSeenAt: string;
  /** When the surplus was last seen. */
  lastSeenAt: string;
  /** When the contract held nothing more of it. */
  resolvedAt: string | null;
};

export type ListBreaksQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the previous page. */
  cursor?: string;
  /**
   * The kind of difference: an asset at one of our addresses, an escrow contract, the balance at the payment provider,
   * a signed escrow webhook about money that provider and ledger do not confirm, a payment to one of our addresses that
   * cannot be credited, an order whose funding brought less into its contract than its amount, a payment of one of our
   * wallets on the ledger that nothing in the books explains, a payout of the payment provider without a withdrawal, a
   * payout that the payment provider executed over another amount, or a top-up that was paid after it had ended.
   */
  kind?: 'wallet-usdc' | 'wallet-xlm' | 'contract' | 'payment-float' | 'escrow-event' | 'deposit' | 'short-funding' | 'unexplained-payment' | 'lost-payout' | 'payout-amount' | 'late-topup';
  /** Only breaks of this address, contract or order. */
  subject?: string;
  /** Only open ones, or only resolved ones. */
  open?: boolean;
  /** Only breaks first seen at or after this time. */
  from?: string;
  /** Only breaks first seen before this time. */
  to?: string;
};

export type ListSurplusesQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the previous page. */
  cursor?: string;
  /** Only this contract. */
  contractId?: string;
  /** Only those still in a contract, or only the others. */
  open?: boolean;
};
