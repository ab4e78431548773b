// Refuses a marketplace that has no record. A mistyped id must not create one.

import type pg from 'pg';
import { DomainError } from '../base/domain-error.ts';

export type RequireMarketplace = (marketplaceId: string) => Promise<void>;

const EXISTS = 'select 1 from marketplaces t where t.marketplace_id = $1';

export const createRequireMarketplace =
  (pool: pg.Pool): RequireMarketplace =>
  async (marketplaceId) => {
    const { rows } = await pool.query(EXISTS, [marketplaceId]);
    if (rows.length === 0) throw new DomainError('MARKETPLACE_NOT_FOUND');
  };
