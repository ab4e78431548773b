// Saves when keys were last used. Several servers write the same rows: always in one order, and never back in time.

import type pg from 'pg';
import type { KeyUse } from './use-recorder.ts';

const PUT_USES = `insert into api_key_uses as u (marketplace_id, api_key_id, last_used_at)
  select * from unnest($1::text[], $2::text[], $3::timestamptz[]) k (marketplace_id, api_key_id, last_used_at)
  order by marketplace_id, api_key_id
  on conflict (marketplace_id, api_key_id) do update
    set last_used_at = excluded.last_used_at where u.last_used_at < excluded.last_used_at`;

export const saveApiKeyUses = async (pool: pg.Pool, uses: readonly KeyUse[]): Promise<void> => {
  await pool.query({
    name: 'put-api-key-uses',
    text: PUT_USES,
    values: [uses.map((use) => use.marketplaceId), uses.map((use) => use.keyId), uses.map((use) => use.usedAt)],
  });
};
