// Reads of operators, their passkeys and the claims of their addresses. Only the reads for a sign-in use the hashes.

import type { OperatorStatus } from '@holdfast/contract/api/operators.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type { Role } from '@holdfast/contract/scopes.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import {
  claimIdOf,
  OPERATOR_CLAIMS,
  OPERATOR_PASSKEYS,
  OPERATORS,
  type Operator,
  type OperatorClaim,
  type OperatorPasskey,
} from './operator.ts';

type Filter = { readonly status?: OperatorStatus; readonly role?: Role };

export type ListedOperator = Operator & { readonly passkeys: number };

// The marketplace by its value: a distributed database would ask every machine for passkeys of the marketplace of `t`.
const PASSKEYS = `(select count(*)::integer from operator_passkeys p
    where p.marketplace_id = $1 and p.operator_id = t.id and p.state = 'live') as passkeys`;

const SELECT = `select ${selected(OPERATORS)}, ${PASSKEYS} from operators t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2 and t.state = 'live'`;

const STATE = 'select t.state from operators t where t.marketplace_id = $1 and t.id = $2';

const CLAIM = `select ${selected(OPERATOR_CLAIMS)} from operator_claims t where t.marketplace_id = $1 and t.id = $2`;

const ANY_CLAIM = 'select 1 from operator_claims where marketplace_id = $1 limit 1';

const KEYS = `select ${selected(OPERATOR_PASSKEYS)} from operator_passkeys t
  where t.marketplace_id = $1 and t.operator_id = $2 and t.state = 'live' order by t.created_at`;

// An operator of all marketplaces belongs to the default one. A deleted operator keeps its name.
const NAMES = 'select t.id, t.name from operators t where t.marketplace_id = $1 and t.id = any($2)';

const BY_SEAL = `select t.marketplace_id as "marketplaceId", split_part(t.sealed_totp, '.', 2) as "keyId", count(*)::integer as secrets
  from operators t where t.sealed_totp is not null group by 1, 2 order by 1, 2`;

const SEALED_OTHERWISE = `select ${selected(OPERATORS)} from operators t where t.marketplace_id = $1
  and not starts_with(t.sealed_totp, $2) order by t.id`;

export const createOperatorReads = (pool: pg.Pool) => {
  const find = async (marketplaceId: string, id: string): Promise<ListedOperator | null> =>
    (await pool.query<ListedOperator>(FIND, [marketplaceId, id])).rows[0] ?? null;

  const findClaim = async (claimId: string): Promise<OperatorClaim | null> =>
    (await pool.query<OperatorClaim>(CLAIM, [DEFAULT_MARKETPLACE, claimId])).rows[0] ?? null;

  return {
    /** Not a deleted one. */
    find,

    findClaim,

    /** Null: there never was such an operator. */
    async stateOf(marketplaceId: string, id: string): Promise<Operator['state'] | null> {
      return (await pool.query<Pick<Operator, 'state'>>(STATE, [marketplaceId, id])).rows[0]?.state ?? null;
    },

    /** The operator with the address or, from a passkey, with the hash of the address. */
    async findByClaim(of: { readonly emailKey: string } | { readonly claimId: string }) {
      const claim = await findClaim('claimId' in of ? of.claimId : claimIdOf(of.emailKey));
      if (claim === null) return null;
      const operator = await find(claim.operatorMarketplace, claim.operatorId);
      return operator && { marketplaceId: claim.operatorMarketplace, operator };
    },

    /** Whether the service has, or had, an operator. */
    async hasAny(): Promise<boolean> {
      return (await pool.query(ANY_CLAIM, [DEFAULT_MARKETPLACE])).rows.length > 0;
    },

    async list(request: PageRequest & Filter): Promise<PageOf<ListedOperator>> {
      const { where, values } = conditions(request.marketplaceId, [
        ['t.state = ?', 'live'],
        ['t.id < ?', request.cursor],
        ['t.status = ?', request.status],
        ['t.role = ?', request.role],
      ]);
      return readPage<ListedOperator>(pool, { select: SELECT, where, values, limit: request.limit });
    },

    async passkeys(marketplaceId: string, operatorId: string): Promise<OperatorPasskey[]> {
      return (await pool.query<OperatorPasskey>(KEYS, [marketplaceId, operatorId])).rows;
    },

    /** Names by id, also of deleted operators. */
    async names(marketplaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      if (ids.length === 0) return new Map();
      const names = new Map<string, string>();
      for (const place of new Set([marketplaceId, DEFAULT_MARKETPLACE])) {
        const { rows } = await pool.query<{ id: string; name: string }>(NAMES, [place, ids]);
        for (const { id, name } of rows) names.set(id, name);
      }
      return names;
    },

    /** How many secrets each key-encryption key has sealed, by marketplace. */
    async countBySeal(): Promise<{ marketplaceId: string; keyId: string; secrets: number }[]> {
      return (await pool.query<{ marketplaceId: string; keyId: string; secrets: number }>(BY_SEAL)).rows;
    },

    /** The operators of a marketplace with a secret whose seal does not have this prefix. */
    async listSealedOtherwise(marketplaceId: string, prefix: string): Promise<Operator[]> {
      return (await pool.query<Operator>(SEALED_OTHERWISE, [marketplaceId, prefix])).rows;
    },
  };
};

export type OperatorReads = ReturnType<typeof createOperatorReads>;
