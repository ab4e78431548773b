// Reads of the audit trail: pages of entries, and the check of the chain.

import type pg from 'pg';
import { numberInId } from '../../base/ulid.ts';
import { type Checkpoint, findCheckpoint } from '../../books/checkpoints.ts';
import { readAcross } from '../../postgres/answering.ts';
import { inSnapshot } from '../../postgres/connection.ts';
import type { PageOf, PageRequest } from '../../postgres/page.ts';
import { findArchived } from './archived-entries.ts';
import { AUDIT_COLUMNS, type AuditRecord, auditRecordOf } from './audit-record.ts';
import { type AuditFilter, searchEntries } from './entry-search.ts';
import { type ChainReport, verifyChain } from './verify-chain.ts';

const BIGINT_MAX = 2n ** 63n - 1n;

/** `archives`: the archived months in which the list continues; empty on every page but the last one. */
type AuditPage = PageOf<AuditRecord> & { readonly archives: readonly string[] };

const MARKETPLACES = 'select marketplace_id from marketplaces order by marketplace_id';

export const createAuditReads = (pool: pg.Pool) => ({
  /** Null when the cursor is not the id of an entry. ARCHIVED when everything that is asked for has left the database. */
  async list(request: PageRequest & AuditFilter): Promise<AuditPage | null> {
    const before = request.cursor === null ? null : numberInId('auditEntry', request.cursor);
    if (request.cursor !== null && (before === null || before > BIGINT_MAX)) return null;
    const whole = { after: 0n, before: before ?? BIGINT_MAX };
    const { rows, archives } = await inSnapshot(pool, async (client) => {
      const archived = await findArchived(client, { ...request, before });
      const search = { ...request, columns: AUDIT_COLUMNS, between: whole };
      return { rows: await searchEntries<Omit<AuditRecord, 'id'>>(client, search), archives: archived };
    });
    const page = rows.slice(0, request.limit).map(auditRecordOf);
    const isLast = rows.length <= request.limit;
    return { rows: page, nextCursor: isLast ? null : (page.at(-1)?.id ?? null), archives: isLast ? archives : [] };
  },

  /** From the first entry. */
  verifyChain: (marketplaceId: string) => verifyChain(pool, { marketplaceId }),

  /** From the last checkpoint, if there is one that is intact. */
  async verifyRecent(marketplaceId: string): Promise<ChainReport & { readonly checkpoint: Checkpoint | null }> {
    const checkpoint = await findCheckpoint(pool, marketplaceId);
    const after = checkpoint === null ? undefined : { seq: checkpoint.auditSeq, hash: checkpoint.auditHash };
    return { ...(await verifyChain(pool, { marketplaceId, after })), checkpoint };
  },

  /** Fails when a machine of the database does not answer: a program that checks all marketplaces must not leave some out. */
  async marketplaces(): Promise<string[]> {
    return (await pool.query<{ marketplace_id: string }>(MARKETPLACES)).rows.map((row) => row.marketplace_id);
  },

  /** Those whose machine answers, for the job that proves each of them. */
  async answeringMarketplaces(): Promise<string[]> {
    const rows = await readAcross<{ marketplace_id: string }>(pool, { text: MARKETPLACES });
    return rows.map((row) => row.marketplace_id);
  },
});

export type AuditReads = ReturnType<typeof createAuditReads>;
