// Reads of corrections.

import type { CorrectionKind } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { byIndex, conditions, type PageOf, type PageRequest, readPage } from '../../postgres/page.ts';
import { ESCROWS, type Escrow } from '../escrows/escrow.ts';
import { CORRECTIONS, type Correction } from './correction.ts';

const SELECT = `select ${selected(CORRECTIONS)} from corrections t`;

const FIND = `${SELECT} where t.marketplace_id = $1 and t.id = $2`;

// Those that were set aside too: their contracts may hold money.
const ESCROWS_OF = `select ${selected(ESCROWS)} from escrows t where t.marketplace_id = $1 and t.order_id = $2 order by t.id`;

type CorrectionFilter = { readonly kind?: CorrectionKind; readonly resourceId?: string };

export const createCorrectionReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, id: string): Promise<Correction | null> {
    return (await pool.query<Correction>(FIND, [marketplaceId, id])).rows[0] ?? null;
  },

  /** All escrows of an order, also those that were set aside. */
  async escrowsOf(marketplaceId: string, orderId: string): Promise<Escrow[]> {
    return (await pool.query<Escrow>(ESCROWS_OF, [marketplaceId, orderId])).rows;
  },

  list(request: PageRequest & CorrectionFilter): Promise<PageOf<Correction>> {
    const filtered = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      byIndex('t.kind', request.kind),
      ['t.resource_id = ?', request.resourceId],
    ]);
    return readPage<Correction>(pool, { select: SELECT, ...filtered, limit: request.limit });
  },
});

export type CorrectionReads = ReturnType<typeof createCorrectionReads>;
