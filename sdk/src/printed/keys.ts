// What these routes take and give.
// Printed from contract/src/api/keys.ts by `node scripts/print-sdk.ts`; do not edit it by hand.

export type AccessToken = {
  /** Send it as `Authorization: Bearer <token>`. It is shown only now. */
  token: string;
  tokenType: 'Bearer';
  /** From then on it is refused. It also ends with the key it was made from. */
  expiresAt: string;
  /** What it may do; `*` is everything. */
  scopes: ('read' | 'write' | 'support' | '*')[];
};

export type ApiKeyRecord = {
  /** Id of the key. It is part of the key itself and no secret. */
  id: string;
  /** As given when it was made. */
  name: string;
  /** What it may do; `*` is everything. */
  scopes: ('read' | 'write' | 'support' | '*')[];
  /** The only marketplace it can see or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null: the service's own limit. */
  rateLimit: number | null;
  /** When it was made. */
  createdAt: string;
  /** From then on it is refused; null: never. */
  expiresAt: string | null;
  /** When it was revoked. */
  revokedAt: string | null;
};

export type CreatedApiKey = {
  /** Id of the key. It is part of the key itself and no secret. */
  id: string;
  /** As given when it was made. */
  name: string;
  /** What it may do; `*` is everything. */
  scopes: ('read' | 'write' | 'support' | '*')[];
  /** The only marketplace it can see or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null: the service's own limit. */
  rateLimit: number | null;
  /** When it was made. */
  createdAt: string;
  /** From then on it is refused; null: never. */
  expiresAt: string | null;
  /** When it was revoked. */
  revokedAt: string | null;
  /** The key. It is shown only now: save it. */
  key: string;
  /** The same value under its other name. */
  api_key: string;
};

export type ListedApiKey = {
  /** Id of the key. It is part of the key itself and no secret. */
  id: string;
  /** As given when it was made. */
  name: string;
  /** What it may do; `*` is everything. */
  scopes: ('read' | 'write' | 'support' | '*')[];
  /** The only marketplace it can see or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null: the service's own limit. */
  rateLimit: number | null;
  /** When it was made. */
  createdAt: string;
  /** From then on it is refused; null: never. */
  expiresAt: string | null;
  /** When it was revoked. */
  revokedAt: string | null;
  /** When it was last used, within some seconds; null: never. */
  lastUsedAt: string | null;
};

export type Me = {
  /** Id of the key, or `master`. */
  apiKeyId: string;
  apiKeyName: string;
  /** What it may do; `*` is everything. */
  scopes: ('read' | 'write' | 'support' | '*')[];
  /** The marketplace this request acts in. */
  marketplaceId: string;
  type: 'master' | 'api_key' | 'token';
};

export type RotatedApiKey = {
  /** Id of the key. It is part of the key itself and no secret. */
  id: string;
  /** As given when it was made. */
  name: string;
  /** What it may do; `*` is everything. */
  scopes: ('read' | 'write' | 'support' | '*')[];
  /** The only marketplace it can see or change. */
  marketplaceId: string;
  /** Only an ACTIVE key is accepted. */
  status: 'ACTIVE' | 'EXPIRED' | 'REVOKED';
  /** Requests per window; null: the service's own limit. */
  rateLimit: number | null;
  /** When it was made. */
  createdAt: string;
  /** From then on it is refused; null: never. */
  expiresAt: string | null;
  /** When it was revoked. */
  revokedAt: string | null;
  /** The key. It is shown only now: save it. */
  key: string;
  /** The same value under its other name. */
  api_key: string;
  /** Until then the key before this one still works. */
  previousKeyExpiresAt: string;
};

export type CreateApiKeyInput = {
  /** For people: who uses it, and for what. */
  name: string;
  /** What it may do: `read`, `write`, `support`, or `*` for everything. */
  scopes: ('read' | 'write' | 'support' | '*')[];
  /** Its marketplace. */
  marketplaceId?: string;
  /** From then on it is refused. Without it the key does not expire. */
  expiresAt?: string;
  /** Requests per window. */
  rateLimit?: number;
};

export type IssueTokenInput = {
  /** Fewer scopes than the key's; without it, all of them. */
  scopes?: ('read' | 'write' | 'support' | '*')[];
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
