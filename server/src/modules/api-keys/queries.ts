// Reads of keys. Only the read for authentication selects the hashes; the list does not.

import type { ApiKeyStatus } from '@holdfast/contract/api/keys.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { conditions, createdBetween, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { API_KEYS, type ApiKey } from './api-key.ts';
import { DEVELOPMENT_KEY } from './development-keys.ts';

type ListedKey = Omit<ApiKey, 'secretHash' | 'previousHash' | 'previousExpiresAt'> & {
  readonly lastUsedAt: string | null;
};

type ApiKeyFilter = {
  readonly status?: ApiKeyStatus;
  readonly createdAfter?: string;
  readonly createdBefore?: string;
};

const FIND = `select ${selected(API_KEYS)} from ${byIds('api_keys')}`;

const LIST = `select t.id, t.name, t.scopes, t.rate_limit as "rateLimit", t.created_at as "createdAt",
    t.expires_at as "expiresAt", t.revoked_at as "revokedAt", u.last_used_at as "lastUsedAt"
  from api_keys t
  left join api_key_uses u on u.marketplace_id = t.marketplace_id and u.api_key_id = t.id`;

const NAMES = 'select t.id, t.name from api_keys t where t.marketplace_id = $1 and t.id = any($2)';

// The keys of all marketplaces, a few each, read once when a server starts.
const ACTIVE_DEVELOPMENT = `select marketplace_id as "marketplaceId", id as "keyId" from api_keys
  where name = $1 and scopes = $2 and rate_limit = $3 and revoked_at is null order by marketplace_id, id`;

const STATUS = `case when t.revoked_at is not null then 'REVOKED' when t.expires_at <= ? then 'EXPIRED' else 'ACTIVE' end`;

export const createApiKeyReads = (pool: pg.Pool) => ({
  find: shareReads<ApiKey>(pool, { text: FIND }),

  async listActiveDevelopment(): Promise<{ marketplaceId: string; keyId: string }[]> {
    const { name, scopes, rateLimit } = DEVELOPMENT_KEY;
    return (await pool.query(ACTIVE_DEVELOPMENT, [name, scopes, rateLimit])).rows;
  },

  /** Names by id, also of revoked keys. */
  async names(marketplaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const { rows } = await pool.query<{ id: string; name: string }>(NAMES, [marketplaceId, ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  },

  async list(request: PageRequest & ApiKeyFilter & { readonly now: string }): Promise<PageOf<ListedKey>> {
    // The status is one of three constants, so it may be part of the SQL text. The time is a parameter.
    const status: readonly [string, unknown][] = request.status
      ? [[`${STATUS} = '${request.status}'`, request.now]]
      : [];
    const { where, values } = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ...createdBetween('apiKey', request),
      ...status,
    ]);
    return readPage<ListedKey>(pool, { select: LIST, where, values, limit: request.limit });
  },
});

export type ApiKeyReads = ReturnType<typeof createApiKeyReads>;
