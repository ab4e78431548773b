// Reads of operations.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { byIds } from '../../postgres/by-keys.ts';
import {
  byIndex,
  type CreatedBetween,
  conditions,
  createdBetween,
  type PageOf,
  type PageRequest,
  readPage,
} from '../../postgres/page.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { OPERATIONS, type Operation } from './operation.ts';
import type { OperationPlace } from './operation-context.ts';

type OperationFilter = CreatedBetween & { readonly state?: string; readonly kind?: string; readonly orderId?: string };

const SELECT = `select ${selected(OPERATIONS)} from operations t`;

const PLACES = `select t.marketplace_id as "marketplaceId", t.id as "operationId" from operations t
  where t.state = 'RUNNING'`;

// Compared with the server's clock, which wrote the times: the database's clock may be hours off. No operation is postponed for an
// hour, so a later time was written before the clock was set back.
const DUE = `${PLACES} and (t.next_attempt_at <= $2 or t.next_attempt_at > $2::timestamptz + interval '1 hour')
  order by t.next_attempt_at limit $1`;

// The same condition as that of the open work in reports, for those that began before a time.
const STUCK = `select t.marketplace_id as "marketplaceId", t.kind, t.order_id as "orderId", t.created_at as "createdAt"
  from operations t where t.state = 'RUNNING' and t.attempts > 0 and t.created_at < $1 order by t.created_at limit $2`;

export type StuckOperation = Pick<Operation, 'kind' | 'orderId' | 'createdAt'> & { readonly marketplaceId: string };

export const createOperationReads = (pool: pg.Pool) => ({
  find: shareReads<Operation>(pool, { text: `select ${selected(OPERATIONS)} from ${byIds('operations')}` }),

  list(request: PageRequest & OperationFilter): Promise<PageOf<Operation>> {
    const filtered = conditions(request.marketplaceId, [
      ['t.id < ?', request.cursor],
      byIndex('t.state', request.state),
      byIndex('t.kind', request.kind),
      ['t.order_id = ?', request.orderId],
      ...createdBetween('operation', request),
    ]);
    return readPage<Operation>(pool, { select: SELECT, ...filtered, limit: request.limit });
  },

  /** Of all marketplaces, oldest first. */
  async listRunning(limit: number): Promise<OperationPlace[]> {
    return readAcross<OperationPlace>(pool, { text: `${PLACES} order by t.next_attempt_at limit $1`, values: [limit] });
  },

  /** Running since before a time although they were retried, of all marketplaces, oldest first. */
  async listStuck({ before, limit }: { before: string; limit: number }): Promise<StuckOperation[]> {
    return readAcross<StuckOperation>(pool, { text: STUCK, values: [before, limit] });
  },

  async listDue(limit: number): Promise<OperationPlace[]> {
    return readAcross<OperationPlace>(pool, { text: DUE, values: [limit, formatInstant(systemClock())] });
  },
});

export type OperationReads = ReturnType<typeof createOperationReads>;
