// What these routes take and give.
// Printed from contract/src/api/receipts.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';
import type { OrderStatus } from './order-records.ts';

export type Receipt = {
  /** The order. */
  orderId: string;
  /** The marketplace. */
  marketplaceId: string;
  /** Title of the order. */
  title: string;
  clientOrderRef: string | null;
  /** State of the order. */
  status: OrderStatus;
  /** Null until the order is closed. */
  finalStatus: string | null;
  /** The last change of the order. */
  asOf: string;
  /** When the order was created. */
  createdAt: string;
  /** Currency code. */
  currency: CurrencyCode;
  buyer: {
    /** User id. */
    id: string;
    /** `name` of the user, or else `metadata.displayName`, or else `externalUserId`. */
    name: string;
  };
  seller: {
    /** User id. */
    id: string;
    /** `name` of the user, or else `metadata.displayName`, or else `externalUserId`. */
    name: string;
  };
  /** Amount of the order. Decimal string with two decimal places, or more when needed. */
  amount: Amount;
  /** What the buyer paid into escrow. Decimal string with two decimal places, or more when needed. */
  funded: Amount;
  /**
   * What was released to the seller, before the platform fee. Decimal string with two decimal places, or more when
   * needed.
   */
  released: Amount;
  /**
   * The same as `platformFeeAmount`: an amount, and not a percentage. Decimal string with two decimal places, or more
   * when needed.
   */
  platformFee: Amount;
  /** What the platform kept of it. Decimal string with two decimal places, or more when needed. */
  platformFeeAmount: Amount;
  /** What the seller got. Decimal string with two decimal places, or more when needed. */
  sellerNet: Amount;
  /** What the buyer got back. Decimal string with two decimal places, or more when needed. */
  refunded: Amount;
  /**
   * What is still in escrow: funded less released and refunded. Decimal string with two decimal places, or more when
   * needed.
   */
  inEscrow: Amount;
  /**
   * Fee of the escrow provider's protocol. The platform bears it. Decimal string with two decimal places, or more when
   * needed.
   */
  protocolFee: Amount;
  /**
   * Fees of the ledger network for the transactions below, in XLM. The platform bears them. Decimal string with two
   * decimal places, or more when needed.
   */
  networkFee: Amount;
  milestones: {
    ref: string;
    title: string;
    /** Amount of the milestone. Decimal string with two decimal places, or more when needed. */
    amount: Amount;
    status: string;
    /**
     * The seller's part, before the fee. Of milestones that were paid together: its share, in their order. Null: it was
     * not paid. Decimal string with two decimal places, or more when needed.
     */
    released: Amount | null;
    /**
     * The buyer's part, likewise. Null: it was not paid. Decimal string with two decimal places, or more when needed.
     */
    refunded: Amount | null;
    /**
     * The platform fee on the released part. Null: it was not paid. Decimal string with two decimal places, or more
     * when needed.
     */
    fee: Amount | null;
  }[];
  /** Every posting on the order's escrow, oldest first. */
  payments: {
    /** When it was booked. */
    at: string;
    /** Kind of the change, as in statements. */
    move: string;
    /** Negative for money that left the order's escrow. Decimal string with two decimal places, or more when needed. */
    amount: Amount;
  }[];
  /** Address of the escrow contract on the ledger. */
  contractId: string | null;
  /** Oldest first; only those that succeeded. */
  transactions: {
    /** Hash of the transaction on the ledger. */
    hash: string;
    /** What the transaction asked the contract to do. */
    call: string;
    /** Null: it concerns the whole order. */
    milestoneRef: string | null;
    /** When the ledger had it. */
    at: string;
    /** Where it can be looked up, if LEDGER_EXPLORER_URL is set. */
    url: string | null;
  }[];
  /** The active public link, without its address, which is shown only once. Null: there is none. */
  publicLink: {
    /** When the link was created. */
    createdAt: string;
    /** When it stops to work. */
    expiresAt: string;
  } | null;
};

export type CreateReceiptLinkInput = {
  /** How long the link works. */
  expiresInDays?: number;
};

export type CreateReceiptLinkResult = {
  /** The link. It is a secret, and it is shown only here. */
  url: string;
  /** When it stops to work. */
  expiresAt: string;
};

export type GetReceiptQuery = {
  format?: 'json' | 'html' | 'pdf';
};

export type RevokeReceiptLinkResult = {
  /** When the link stopped to work. */
  revokedAt: string;
};
