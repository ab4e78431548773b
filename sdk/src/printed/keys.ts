// What these routes take and give.
// Printed from contract/src/api/keys.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type AccessToken = {
  /** Send it as `Authorization: Bearer <token>`. It is shown only once. */
  token: string;
  tokenType: 'Bearer';
  /** When the token expires. It also expires with the key that created it. */
  expiresAt: string;
  /** Permissions of the key; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
};

export type ApiKeyRecord = {
  /** Id of the key. It is part of the key and not secret. */
  id: string;
  /** Name given at creation. */
  name: string;
  /** Permissions of the key; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The only marketplace that the key can read or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null when the service's default limit applies. */
  rateLimit: number | null;
  /** When the key was created. */
  createdAt: string;
  /** When the key expires; null when it never expires. */
  expiresAt: string | null;
  /** When the key was revoked. */
  revokedAt: string | null;
};

export type CreatedApiKey = {
  /** Id of the key. It is part of the key and not secret. */
  id: string;
  /** Name given at creation. */
  name: string;
  /** Permissions of the key; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The only marketplace that the key can read or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null when the service's default limit applies. */
  rateLimit: number | null;
  /** When the key was created. */
  createdAt: string;
  /** When the key expires; null when it never expires. */
  expiresAt: string | null;
  /** When the key was revoked. */
  revokedAt: string | null;
  /** The key. It is shown only once: save it now. */
  key: string;
  /** The same value under its other name. */
  api_key: string;
};

export type ListedApiKey = {
  /** Id of the key. It is part of the key and not secret. */
  id: string;
  /** Name given at creation. */
  name: string;
  /** Permissions of the key; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The only marketplace that the key can read or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null when the service's default limit applies. */
  rateLimit: number | null;
  /** When the key was created. */
  createdAt: string;
  /** When the key expires; null when it never expires. */
  expiresAt: string | null;
  /** When the key was revoked. */
  revokedAt: string | null;
  /** When the key was last used, accurate to a few seconds; null when never used. */
  lastUsedAt: string | null;
};

export type Me = {
  /** Id of the key or of the operator, or `master`. */
  apiKeyId: string;
  apiKeyName: string;
  /** Permissions of the key; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The marketplace of this request. */
  marketplaceId: string;
  type: 'master' | 'api_key' | 'token' | 'operator';
};

export type RotatedApiKey = {
  /** Id of the key. It is part of the key and not secret. */
  id: string;
  /** Name given at creation. */
  name: string;
  /** Permissions of the key; `*` means all. */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The only marketplace that the key can read or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null when the service's default limit applies. */
  rateLimit: number | null;
  /** When the key was created. */
  createdAt: string;
  /** When the key expires; null when it never expires. */
  expiresAt: string | null;
  /** When the key was revoked. */
  revokedAt: string | null;
  /** The key. It is shown only once: save it now. */
  key: string;
  /** The same value under its other name. */
  api_key: string;
  /** The previous key works until this time. */
  previousKeyExpiresAt: string;
};

export type CreateApiKeyInput = {
  /**
   * A name for people: who uses the key, and for what. One line with at least one visible character, without control
   * characters.
   */
  name: string;
  /**
   * Permissions: `read`, `write`, `treasury` (credit, debit, deduct and sync balances), `payout` (create and commit
   * withdrawals), `support`, or `*` for everything. `write` contains `treasury` and `payout` unless the operator has
   * separated them: see `writeIncludes` of GET /config.
   */
  scopes: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
  /** The marketplace of the key. A new marketplace is created if needed. */
  marketplaceId?: string;
  /** When the key expires. Without it the key never expires. */
  expiresAt?: string;
  /** Requests per window. */
  rateLimit?: number;
};

export type IssueTokenInput = {
  /** A subset of the key's scopes; all of them when left out. */
  scopes?: ('read' | 'write' | 'treasury' | 'payout' | 'support' | '*')[];
};

export type ListApiKeysQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only an ACTIVE key is accepted. */
  status?: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
};
