// Reads of policies.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { POLICIES, type Policy } from './policy.ts';

const SELECT = `select ${selected(POLICIES)} from policies t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2`;

const BY_ID = 'select t.id from policies t where t.marketplace_id = $1 and t.id = $2';

const NEWEST = `select t.id from policies t where t.marketplace_id = $1 and t.name = $2
  order by t.policy_version desc limit 1`;

export const createPolicyReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, id: string): Promise<Policy | null> {
    return (await pool.query<Policy>(FIND, [marketplaceId, id])).rows[0] ?? null;
  },

  /** The id of the version with this id, or of the newest version of this name. A name never looks like an id. */
  async resolve(marketplaceId: string, idOrName: string): Promise<string | null> {
    const text = idOrName.startsWith('pol_') ? BY_ID : NEWEST;
    return (await pool.query<{ id: string }>(text, [marketplaceId, idOrName])).rows[0]?.id ?? null;
  },

  list(request: PageRequest & { readonly name?: string }): Promise<PageOf<Policy>> {
    const { where, values } = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      ['t.name = ?', request.name],
    ]);
    return readPage<Policy>(pool, { select: SELECT, where, values, limit: request.limit });
  },
});

export type PolicyReads = ReturnType<typeof createPolicyReads>;
