// Reads of evidence. Only one of them reads a content.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { EVIDENCE, type Evidence } from './evidence.ts';

/** The evidence, and the dispute that it has to belong to. */
type Named = { readonly marketplaceId: string; readonly disputeId: string; readonly id: string };

const SELECT = `select ${selected(EVIDENCE)} from evidence t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2 and t.dispute_id = $3`;

const CONTENT = 'select t.content from evidence_contents t where t.marketplace_id = $1 and t.id = $2';

const HAS_DISPUTE = 'select 1 from disputes t where t.marketplace_id = $1 and t.id = $2';

export const createEvidenceReads = (pool: pg.Pool) => ({
  async find({ marketplaceId, disputeId, id }: Named): Promise<Evidence | null> {
    return (await pool.query<Evidence>(FIND, [marketplaceId, id, disputeId])).rows[0] ?? null;
  },

  async content(marketplaceId: string, id: string): Promise<Buffer | null> {
    return (await pool.query<{ content: Buffer }>(CONTENT, [marketplaceId, id])).rows[0]?.content ?? null;
  },

  async hasDispute(marketplaceId: string, disputeId: string): Promise<boolean> {
    return (await pool.query(HAS_DISPUTE, [marketplaceId, disputeId])).rows.length > 0;
  },

  list(request: PageRequest & { readonly disputeId: string }): Promise<PageOf<Evidence>> {
    const { where, values } = conditions(request.marketplaceId, [
      ['t.dispute_id = ?', request.disputeId],
      ['t.id < ?', request.cursor],
    ]);
    return readPage<Evidence>(pool, { select: SELECT, where, values, limit: request.limit });
  },
});

export type EvidenceReads = ReturnType<typeof createEvidenceReads>;
