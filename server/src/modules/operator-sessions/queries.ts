// Reads of sessions, and the times of their last use, which are written in batches and without a command.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import { sendByMarketplace } from '../../postgres/by-marketplace.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import type { KeyUse } from '../api-keys/use-recorder.ts';
import type { ShownSession } from '../operators/present.ts';
import { OPERATOR_SESSIONS } from '../operators/session.ts';
import type { CheckedSession } from './authenticator.ts';

const USE = `left join operator_session_uses u on u.marketplace_id = t.marketplace_id and u.session_id = t.id`;

const CHECKED = `select t.id, t.operator_id as "operatorId", t.secret_hash as "secretHash", t.method, t.expires_at as "expiresAt",
    t.created_at as "createdAt", u.last_used_at as "lastUsedAt", t.ended_at as "endedAt", o.name, o.role,
    o.is_everywhere as "isEverywhere", o.state = 'live' and o.status = 'ACTIVE' as "isActive"
  from ${byIds('operator_sessions')}
  join operators o on o.marketplace_id = $1 and o.marketplace_id = t.marketplace_id and o.id = t.operator_id
  ${USE}`;

const LIST = `select ${selected(OPERATOR_SESSIONS)}, u.last_used_at as "lastUsedAt" from operator_sessions t ${USE}`;

// Several servers write the same rows: always in one order, to avoid deadlocks, and never an earlier time.
const PUT_USES = `insert into operator_session_uses as u (marketplace_id, session_id, last_used_at)
  select * from unnest($1::text[], $2::text[], $3::timestamptz[]) k (marketplace_id, session_id, last_used_at)
  order by marketplace_id, session_id
  on conflict (marketplace_id, session_id) do update
    set last_used_at = excluded.last_used_at where u.last_used_at < excluded.last_used_at`;

// An ended session is over by its last time too.
const OVER = `array(select t.id from operator_sessions t where t.marketplace_id = $1 and t.expires_at < $2
    order by t.expires_at, t.id limit $3)`;

const TRIM_USES = `delete from operator_session_uses where marketplace_id = $1 and session_id = any(${OVER})`;

const TRIM = `delete from operator_sessions where marketplace_id = $1 and id = any(${OVER})`;

type Open = PageRequest & { readonly operatorId: string; readonly now: string };

export const createSessionReads = (pool: pg.Pool) => ({
  findChecked: shareReads<CheckedSession>(pool, { text: CHECKED }),

  /** Those that nothing has ended, and whose time is not over. */
  async listOpen(request: Open): Promise<PageOf<ShownSession>> {
    const { where, values } = conditions(request.marketplaceId, [
      ['t.operator_id = ?', request.operatorId],
      ['t.ended_at is null and t.expires_at > ?', request.now],
      ['t.id < ?', request.cursor],
    ]);
    return readPage<ShownSession>(pool, { select: LIST, where, values, limit: request.limit });
  },

  async saveUses(uses: readonly KeyUse[]): Promise<void> {
    const put = async (part: readonly KeyUse[]): Promise<never[]> => {
      const values = [
        part.map((use) => use.marketplaceId),
        part.map((use) => use.keyId),
        part.map((use) => use.usedAt),
      ];
      return (await pool.query<never>({ name: 'put-session-uses', text: PUT_USES, values })).rows;
    };
    await sendByMarketplace(pool, { items: uses, send: put });
  },
});

export type SessionReads = ReturnType<typeof createSessionReads>;

/** One batch of each marketplace: sessions that were over before a time. Returns the number of deleted sessions. */
export const trimSessions = async (pool: pg.Pool, options: { olderThan: string; batch: number }): Promise<number> => {
  const rows = await readAcross<{ marketplace_id: string }>(pool, { text: 'select marketplace_id from marketplaces' });
  let trimmed = 0;
  for (const { marketplace_id } of rows) {
    const values = [marketplace_id, options.olderThan, options.batch];
    await pool.query({ name: 'trim-session-uses', text: TRIM_USES, values });
    trimmed += (await pool.query({ name: 'trim-sessions', text: TRIM, values })).rowCount ?? 0;
  }
  return trimmed;
};
