// What these routes take and give.
// Printed from contract/src/api/marketplaces.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type Marketplace = {
  /** Send it as `X-Marketplace-Id` to act in it. */
  id: string;
  /** When something was first written in it. */
  createdAt: string;
  /** How many users it has. */
  users: number;
  /** How many orders it has. */
  orders: number;
  /** How many API keys it has, those that were revoked included. */
  keys: number;
};

export type ListMarketplacesQuery = {
  /** Page size. */
  limit?: number;
  /** The nextCursor of the page before. */
  cursor?: string;
};
