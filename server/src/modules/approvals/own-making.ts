// Refuses a decider whose credentials come from the requester: made, invited again, rotated or issued as a token since the request was made,
// by the requester or by a caller that the requester made in the same way. The audit trail says who did it.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';
import { DomainError } from '../../base/domain-error.ts';
import type { Context } from '../../commit/command.ts';
import { type Approval, actorName } from './approval.ts';

type Actor = Context['actor'];

const MAKING: readonly AuditAction[] = [
  'API_KEY_CREATED',
  'API_KEY_ROTATED',
  'API_TOKEN_ISSUED',
  'OPERATOR_CREATED',
  'OPERATOR_INVITED',
];

// The first condition on the type is that of the index.
const MAKERS = `select distinct t.actor_type as "type", t.actor_id as id from audit_entries t
  where t.marketplace_id = $1 and t.resource_id = any($2) and t.resource_type <> 'Balance' and t.action = any($3)
  and t.occurred_at >= $4 and t.result = 'SUCCESS'`;

type Asked = { readonly marketplaceId: string; readonly ids: readonly string[]; readonly since: string };

/** Operators of all marketplaces have their entries in the default marketplace. */
export const createMakerReads =
  (pool: pg.Pool) =>
  async ({ marketplaceId, ids, since }: Asked): Promise<Actor[]> => {
    const makers: Actor[] = [];
    for (const place of new Set([marketplaceId, DEFAULT_MARKETPLACE])) {
      makers.push(...(await pool.query<Actor>(MAKERS, [place, ids, MAKING, since])).rows);
    }
    return makers;
  };

export type FindMakers = ReturnType<typeof createMakerReads>;

type Deciding = { readonly approval: Approval; readonly context: Context };

export const requireOwnCredentials = async (findMakers: FindMakers, { approval, context }: Deciding): Promise<void> => {
  const { requester, requestedBy, createdAt: since } = approval;
  const { marketplaceId, actor } = context;
  const seen = new Set([actor.id]);
  let ids: readonly string[] = [actor.id];
  while (ids.length > 0) {
    const makers = await findMakers({ marketplaceId, ids, since });
    if (makers.some((maker) => actorName(maker) === requester)) {
      throw new DomainError('APPROVAL_SELF', {
        message: 'The requester has made or renewed the credentials of this caller since the request.',
        details: { requestedBy: requestedBy.id },
      });
    }
    ids = [...new Set(makers.map(({ id }) => id))].filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
  }
};
