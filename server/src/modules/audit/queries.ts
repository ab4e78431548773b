// Reads of the audit trail: pages of entries, and the check of the chain.

import { CURRENCIES } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { parseInstant } from '../../base/instant.ts';
import { numberedId, numberInId } from '../../base/ulid.ts';
import { auditHash, type HashedEntry } from '../../commit/audit-hash.ts';
import { conditions, type PageOf, type PageRequest } from '../../postgres/page.ts';

export type AuditRecord = HashedEntry & { readonly id: string; readonly hash: string };

type AuditFilter = {
  readonly resourceType?: string;
  readonly resourceId?: string;
  readonly action?: string;
  readonly userId?: string;
  readonly from?: string;
  readonly to?: string;
};

type ChainReport = {
  readonly holds: boolean;
  readonly entries: bigint;
  readonly lastHash: string;
  readonly brokenAt: bigint | null;
};

export const AUDIT_COLUMNS = `t.seq, t.occurred_at as "occurredAt", t.action, t.resource_type as "resourceType",
  t.resource_id as "resourceId", t.user_id as "userId", t.payload_before as "payloadBefore",
  t.payload_after as "payloadAfter", t.actor_type as "actorType", t.actor_id as "actorId", t.result,
  t.correlation_id as "correlationId", t.hash`;

const CHAIN_BATCH = 5_000;
const BIGINT_MAX = 2n ** 63n - 1n;

export const auditRecordOf = (row: Omit<AuditRecord, 'id'>): AuditRecord => ({
  ...row,
  id: numberedId('auditEntry', { ms: Math.floor((parseInstant(row.occurredAt) ?? 0) / 1_000), number: row.seq }),
});

/** Postings of one account that may share an entry. */
const POSTINGS_PER_ENTRY = 4;

/**
 * The entries about a user or a resource: found by the indexes, or by a posting on one of the user's accounts. Only the newest postings
 * that a page needs are read, unless another filter may leave some out.
 */
const aboutSql = ({ limit, cursor, resourceType, action, from, to }: PageRequest & AuditFilter): string => {
  const isPlain = [resourceType, action, from, to].every((filter) => filter === undefined);
  const accounts = CURRENCIES.flatMap((currency) => [`':available:${currency}'`, `':reserved:${currency}'`]);
  return `t.seq in (
    select r.seq from audit_entries r, (select ?::text as id) about
    where r.marketplace_id = $1 and r.resource_id = about.id
      and (r.resource_type <> 'Balance' or r.action = 'BALANCE_SYNCED')
    union all
    select u.seq from audit_entries u where u.marketplace_id = $1 and u.user_id = ?
    union all
    select p.audit_seq from unnest(array[${accounts.join(', ')}]) a (part) cross join lateral (
      select audit_seq from postings where marketplace_id = $1 and account_id = ?::text || a.part
        ${cursor === null ? '' : 'and audit_seq < $2'}
      order by seq desc ${isPlain ? `limit ${(limit + 1) * POSTINGS_PER_ENTRY}` : ''}
    ) p)`;
};

export const createAuditReads = (pool: pg.Pool) => ({
  /** Null when the cursor is not the id of an entry. */
  async list(request: PageRequest & AuditFilter): Promise<PageOf<AuditRecord> | null> {
    const before = request.cursor === null ? null : numberInId('auditEntry', request.cursor);
    if (request.cursor !== null && (before === null || before > BIGINT_MAX)) return null;
    const { where, values } = conditions(request.marketplaceId, [
      // This condition is the first, because `aboutSql` uses its parameter $2.
      ['t.seq < ?', before],
      ['t.resource_type = ?', request.resourceType],
      ['t.resource_id = ?', request.resourceId],
      ['t.action = ?', request.action],
      ['? in (t.resource_id, t.user_id)', request.userId],
      ['t.occurred_at >= ?', request.from],
      ['t.occurred_at < ?', request.to],
      [aboutSql(request), request.userId ?? request.resourceId],
    ]);
    const { rows } = await pool.query<Omit<AuditRecord, 'id'>>(
      `select ${AUDIT_COLUMNS} from audit_entries t where ${where} order by t.seq desc limit ${request.limit + 1}`,
      values,
    );
    const page = rows.slice(0, request.limit).map(auditRecordOf);
    return { rows: page, nextCursor: rows.length > request.limit ? (page.at(-1)?.id ?? null) : null };
  },

  /** Recomputes the chain from its first entry, and compares its end with the marketplace's head. */
  async verifyChain(marketplaceId: string): Promise<ChainReport> {
    const head = await pool.query<{ auditSeq: bigint; auditHash: string }>(
      'select audit_seq as "auditSeq", audit_hash as "auditHash" from marketplaces where marketplace_id = $1',
      [marketplaceId],
    );
    const { auditSeq: end, auditHash: endHash } = head.rows[0] ?? { auditSeq: 0n, auditHash: '' };
    let previous = '';
    let seq = 0n;
    while (seq < end) {
      const { rows } = await pool.query<Omit<AuditRecord, 'id'>>(
        `select ${AUDIT_COLUMNS} from audit_entries t where t.marketplace_id = $1 and t.seq > $2 and t.seq <= $3
         order by t.seq limit ${CHAIN_BATCH}`,
        [marketplaceId, seq, end],
      );
      for (const row of rows) {
        if (row.seq !== seq + 1n || auditHash(previous, row) !== row.hash) break;
        seq = row.seq;
        previous = row.hash;
      }
      if (rows.at(-1)?.seq !== seq) return { holds: false, entries: seq, lastHash: previous, brokenAt: seq + 1n };
    }
    const holds = previous === endHash;
    return { holds, entries: seq, lastHash: previous, brokenAt: holds ? null : seq };
  },

  async marketplaces(): Promise<string[]> {
    const { rows } = await pool.query<{ marketplace_id: string }>(
      'select marketplace_id from marketplaces order by marketplace_id',
    );
    return rows.map((row) => row.marketplace_id);
  },
});

export type AuditReads = ReturnType<typeof createAuditReads>;
