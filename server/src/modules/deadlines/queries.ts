// Reads of deadlines that are due, of all marketplaces. An index has only those that are PENDING, by time, so the others cost nothing.

import type pg from 'pg';
import { readAcross } from '../../postgres/answering.ts';

export type DueDeadline = {
  readonly marketplaceId: string;
  readonly id: string;
  readonly orderId: string;
  readonly at: string;
};

const DUE = `select t.marketplace_id as "marketplaceId", t.id, t.order_id as "orderId", t.at from deadlines t
  where t.status = 'PENDING' and t.at <= $1 and t.id <> all($2) order by t.at, t.id limit $3`;

type Request = {
  readonly until: string;
  /** Ids that were refused lately. */
  readonly without: readonly string[];
  readonly limit: number;
};

export const createDeadlineReads = (pool: pg.Pool) => ({
  /** Earliest first. */
  listDue({ until, without, limit }: Request): Promise<DueDeadline[]> {
    return readAcross<DueDeadline>(pool, { text: DUE, values: [until, without, limit] });
  },
});

export type DeadlineReads = ReturnType<typeof createDeadlineReads>;
