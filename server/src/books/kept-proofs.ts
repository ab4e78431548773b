// The last proof of every marketplace, as the job found it. An observation about the books and no part of them.

import type pg from 'pg';
import { formatExact } from './money.ts';
import type { Proof } from './proof.ts';

export type ProofSummary = {
  readonly marketplaces: number;
  readonly failing: readonly string[];
  /** The oldest of the last proofs; null when there is none yet. */
  readonly oldestAt: string | null;
  readonly currencies: readonly { readonly currency: string; readonly difference: string }[];
};

const KEEP = `insert into proofs (marketplace_id, holds, checked_at, differences) values ($1, $2, $3, $4)
  on conflict (marketplace_id) do update
    set holds = excluded.holds, checked_at = excluded.checked_at, differences = excluded.differences
  where proofs.checked_at < excluded.checked_at`;

const SUMMARY = `select count(*)::integer as marketplaces, min(checked_at) as "oldestAt",
    coalesce(array_agg(marketplace_id) filter (where not holds), '{}') as failing from proofs`;

const DIFFERENCES = `select key as currency, sum(value::numeric)::text as difference
  from proofs, jsonb_each_text(differences) group by key order by key`;

export const createKeptProofs = (pool: pg.Pool) => ({
  async keep(marketplaceId: string, proof: Proof): Promise<void> {
    const differences = Object.fromEntries(proof.currencies.map((row) => [row.currency, formatExact(row.difference)]));
    await pool.query(KEEP, [marketplaceId, proof.holds, proof.checkedAt, JSON.stringify(differences)]);
  },
  async summary(): Promise<ProofSummary> {
    const [summary, differences] = await Promise.all([
      pool.query<Omit<ProofSummary, 'currencies'>>(SUMMARY),
      pool.query<ProofSummary['currencies'][number]>(DIFFERENCES),
    ]);
    return { ...summary.rows[0]!, currencies: differences.rows };
  },
});

export type KeptProofs = ReturnType<typeof createKeptProofs>;
