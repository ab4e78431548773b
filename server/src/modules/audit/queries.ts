// Reads of the audit trail: pages of entries, and the check of the chain.

import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { parseInstant } from '../../base/instant.ts';
import { numberedId, numberInId } from '../../base/ulid.ts';
import { auditHash, type HashedEntry } from '../../commit/audit-hash.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import type { PageOf, PageRequest } from '../../postgres/page.ts';
import { type AuditFilter, searchEntries } from './entry-search.ts';

export type AuditRecord = HashedEntry & { readonly id: string; readonly hash: string };

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

const CHAIN_BATCH = 1_000;
/** Entries that are hashed without a pause. Without pauses the check of a long chain would delay every request of the process. */
const CHAIN_SLICE = 100;
const BIGINT_MAX = 2n ** 63n - 1n;

export const auditRecordOf = (row: Omit<AuditRecord, 'id'>): AuditRecord => ({
  ...row,
  id: numberedId('auditEntry', { ms: Math.floor((parseInstant(row.occurredAt) ?? 0) / 1_000), number: row.seq }),
});

export const createAuditReads = (pool: pg.Pool) => ({
  /** Null when the cursor is not the id of an entry. */
  async list(request: PageRequest & AuditFilter): Promise<PageOf<AuditRecord> | null> {
    const before = request.cursor === null ? null : numberInId('auditEntry', request.cursor);
    if (request.cursor !== null && (before === null || before > BIGINT_MAX)) return null;
    const whole = { after: 0n, before: before ?? BIGINT_MAX };
    const rows = await inSnapshot(pool, (client) =>
      searchEntries<Omit<AuditRecord, 'id'>>(client, { ...request, columns: AUDIT_COLUMNS, between: whole }),
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
      for (const [place, row] of rows.entries()) {
        if (place % CHAIN_SLICE === 0) await setImmediate();
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
