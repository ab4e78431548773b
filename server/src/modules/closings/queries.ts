// Reads of sealed closings, and of postings that came too late for theirs. It only reads.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { CLOSINGS, type Sealed } from './closing.ts';
import { ASSET_KINDS, type Assets, NO_ASSETS } from './figures.ts';

const SELECT = `select ${selected(CLOSINGS)} from closings t where t.marketplace_id = $1`;

const FIND = `${SELECT} and t.id = $2`;

/** The newest one that ends no later than this time. The ids of months grow with time. */
const BEFORE = `${SELECT} and t.id < $2 order by t.id desc limit 1`;

const BETWEEN = `${SELECT} and t.id >= $2 and t.id < $3 order by t.id`;

const HEAD = 'select audit_seq as seq from marketplaces where marketplace_id = $1';

// The range of time is read by the index of times.
const LATE = `select count(*) as count from postings
  where marketplace_id = $1 and posted_at >= $2 and posted_at < $3 and audit_seq > $4 and amount > 0`;

const KINDS = Object.keys(ASSET_KINDS)
  .map((kind) => `'${kind}'`)
  .join(', ');

// The present balances less the postings since that time. The balances are those of the same statement.
const ASSETS = `select x.kind, x.currency, (-sum(x.units))::text as units from (
    select split_part(a.id, ':', 1) as kind, a.currency, a.balance as units from accounts a
    where a.marketplace_id = $1 and a.side = 'holding'
    union all
    select split_part(p.account_id, ':', 1), substring(p.account_id from '[^:]*$'), -p.amount from postings p
    where p.marketplace_id = $1 and p.posted_at >= $2
  ) x where x.kind in (${KINDS}) group by 1, 2`;

const ARCHIVED = 'select from archives r where r.marketplace_id = $1 and r.ends_at > $2 limit 1';

type AssetRow = { readonly kind: string; readonly currency: Currency; readonly units: string };

export const createClosingReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, month: string): Promise<Sealed | null> {
    return (await pool.query<Sealed>(FIND, [marketplaceId, month])).rows[0] ?? null;
  },

  /** The newest closing of a month before this one. */
  async before(marketplaceId: string, month: string): Promise<Sealed | null> {
    return (await pool.query<Sealed>(BEFORE, [marketplaceId, month])).rows[0] ?? null;
  },

  /** The closings of months from the first one, and before the second one. */
  async between(marketplaceId: string, { first, before }: { first: string; before: string }): Promise<Sealed[]> {
    return (await pool.query<Sealed>(BETWEEN, [marketplaceId, first, before])).rows;
  },

  /** Where the money was at a time. Null: some of the postings since then are archived. */
  async assetsAt(marketplaceId: string, at: string): Promise<Map<Currency, Assets> | null> {
    const archived = await pool.query(ARCHIVED, [marketplaceId, at]);
    if (archived.rows.length > 0) return null;
    const { rows } = await pool.query<AssetRow>(ASSETS, [marketplaceId, at]);
    const found = new Map<Currency, Assets>();
    for (const { kind, currency, units } of rows) {
      found.set(currency, { ...(found.get(currency) ?? NO_ASSETS), [ASSET_KINDS[kind]!]: BigInt(units) });
    }
    return found;
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
