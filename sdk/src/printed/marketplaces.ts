// What these routes take and give.
// Printed from contract/src/api/marketplaces.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type Marketplace = {
  /** Send it as `X-Marketplace-Id` to act in this marketplace. */
  id: string;
  /** When the first record of the marketplace was written. */
  createdAt: string;
  /** Number of users. */
  users: number;
  /** Number of orders. */
  orders: number;
  /** Number of API keys, including revoked ones. */
  keys: number;
};

export type ListMarketplacesQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the previous page. */
  cursor?: string;
};
