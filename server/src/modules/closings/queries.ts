// Reads of sealed closings, and of postings that came too late for theirs. It only reads.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { CLOSINGS, type Sealed } from './closing.ts';

const SELECT = `select ${selected(CLOSINGS)} from closings t where t.marketplace_id = $1`;

const FIND = `${SELECT} and t.id = $2`;

/** The newest one that ends no later than this time. The ids of months grow with time. */
const BEFORE = `${SELECT} and t.id < $2 order by t.id desc limit 1`;

const HEAD = 'select audit_seq as seq from marketplaces where marketplace_id = $1';

// The range of time is read by the index of times.
const LATE = `select count(*) as count from postings
  where marketplace_id = $1 and posted_at >= $2 and posted_at < $3 and audit_seq > $4 and amount > 0`;

export const createClosingReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, month: string): Promise<Sealed | null> {
    return (await pool.query<Sealed>(FIND, [marketplaceId, month])).rows[0] ?? null;
  },

  /** The newest closing of a month before this one. */
  async before(marketplaceId: string, month: string): Promise<Sealed | null> {
    return (await pool.query<Sealed>(BEFORE, [marketplaceId, month])).rows[0] ?? null;
  },

  async auditSeq(marketplaceId: string): Promise<bigint> {
    return (await pool.query<{ seq: bigint }>(HEAD, [marketplaceId])).rows[0]?.seq ?? 0n;
  },

  /** Postings with a time of the closing that were made after it was sealed: a clock was set back. */
  async lateCount(marketplaceId: string, { fromAt, toAt, auditSeq }: Sealed): Promise<bigint> {
    const { rows } = await pool.query<{ count: bigint }>(LATE, [marketplaceId, fromAt, toAt, auditSeq]);
    return rows[0]!.count;
  },
});

export type ClosingReads = ReturnType<typeof createClosingReads>;
