// Reads of deadlines that are due, of all marketplaces. An index has only those that are PENDING, by time, so the others cost nothing.

import type { DeadlineKind } from '@holdfast/contract/states.ts';
import type pg from 'pg';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { DueRequest } from '../../jobs/due-timer.ts';
import { readAcross } from '../../postgres/answering.ts';
import type { Deadline } from '../policies/deadline.ts';
import { REFUSALS_MAX } from '../policies/retry-deadline.ts';

export type DueDeadline = {
  readonly marketplaceId: string;
  readonly id: string;
  readonly orderId: string;
  readonly kind: DeadlineKind;
  readonly at: string;
};

const DUE = `select t.marketplace_id as "marketplaceId", t.id, t.order_id as "orderId", t.kind, t.at from deadlines t
  where t.status = 'PENDING' and t.at <= $1 and (t.at, t.id) > ($2, $3) order by t.at, t.id limit $4`;

// Two reads, each by an index that has only its own rows.
const OVERDUE = `select t.marketplace_id as "marketplaceId", t.order_id as "orderId", t.kind, t.at, t.status, t.failure
  from deadlines t where t.status = 'PENDING' and t.at < $1 order by t.at limit $2`;

const REFUSED = `select t.marketplace_id as "marketplaceId", t.order_id as "orderId", t.kind, t.at, t.status, t.failure
  from deadlines t where t.status = 'HELD' and t.attempts > 0 and t.attempts >= $1 and t.at < $2 order by t.at limit $3`;

const OVERDUE_COUNT = `select count(*)::integer as count, min(t.at) as oldest from (select t.at from deadlines t
  where t.status = 'PENDING' and t.at < $1 order by t.at limit $2) t`;
const COUNTED_MAX = 10_000;

export type StuckDeadline = Pick<Deadline, 'orderId' | 'kind' | 'at' | 'status' | 'failure'> & {
  readonly marketplaceId: string;
};

export const createDeadlineReads = (pool: pg.Pool) => ({
  /** Earliest first. */
  listDue({ until, after, limit }: DueRequest): Promise<DueDeadline[]> {
    const values = [until, after?.at ?? '-infinity', after?.id ?? '', limit];
    return readAcross<DueDeadline>(pool, { text: DUE, values });
  },

  /** Overdue since before a time, or held after too many refusals and not extended; of all marketplaces. */
  async listStuck({ before, now, limit }: { before: string; now: string; limit: number }): Promise<StuckDeadline[]> {
    const overdue = await readAcross<StuckDeadline>(pool, { text: OVERDUE, values: [before, limit] });
    const refused = await readAcross<StuckDeadline>(pool, { text: REFUSED, values: [REFUSALS_MAX, now, limit] });
    return [...refused, ...overdue];
  },

  /** For metrics. */
  async overdue(now: number): Promise<{ count: number; oldestSeconds: number }> {
    const { rows } = await pool.query<{ count: number; oldest: string | null }>(OVERDUE_COUNT, [
      formatInstant(now),
      COUNTED_MAX,
    ]);
    const { count = 0, oldest = null } = rows[0] ?? {};
    return { count, oldestSeconds: oldest === null ? 0 : Math.max(0, (now - parseInstant(oldest)!) / 1_000_000) };
  },
});

export type DeadlineReads = ReturnType<typeof createDeadlineReads>;
