// The last proof of every marketplace, as the jobs computed it, for health and metrics. What a full proof found stays until the next full
// proof: a proof from a checkpoint does not read what is before the checkpoint.

import type pg from 'pg';
import { formatExact } from './money.ts';
import type { Proof } from './proof-checks.ts';

export type ProofSummary = {
  readonly marketplaces: number;
  readonly failing: readonly string[];
  /** The oldest of the stored proofs; null when there is none yet. */
  readonly oldestAt: string | null;
  /** The oldest of the full ones; null when there is none yet. */
  readonly oldestFullAt: string | null;
  readonly currencies: readonly { readonly currency: string; readonly difference: string }[];
};

const KEEP = `insert into proofs (marketplace_id, holds, checked_at, differences) values ($1, $2, $3, $4)
  on conflict (marketplace_id) do update
    set holds = excluded.holds, checked_at = excluded.checked_at, differences = excluded.differences
  where proofs.checked_at < excluded.checked_at`;

const KEEP_FULL = `update proofs set full_holds = $2, full_checked_at = $3, full_problems = $4
  where marketplace_id = $1 and (full_checked_at is null or full_checked_at < $3)`;

const SUMMARY = `select count(*)::integer as marketplaces, min(checked_at) as "oldestAt", min(full_checked_at) as "oldestFullAt",
    coalesce(array_agg(marketplace_id) filter (where not holds or not full_holds), '{}') as failing from proofs`;

const DIFFERENCES = `select key as currency, sum(value::numeric)::text as difference
  from proofs, jsonb_each_text(differences) group by key order by key`;

export const createKeptProofs = (pool: pg.Pool) => ({
  async keep(marketplaceId: string, proof: Proof): Promise<void> {
    const differences = Object.fromEntries(proof.currencies.map((row) => [row.currency, formatExact(row.difference)]));
    await pool.query(KEEP, [marketplaceId, proof.holds, proof.checkedAt, JSON.stringify(differences)]);
    if (proof.checkpoint !== null) return;
    const problems = proof.checks.filter(({ holds }) => !holds).map(({ name, detail }) => `${name}: ${detail}`);
    await pool.query(KEEP_FULL, [marketplaceId, proof.holds, proof.checkedAt, problems.join(' ') || null]);
  },
  async summary(): Promise<ProofSummary> {
    const [summary, differences] = await Promise.all([
      pool.query<Omit<ProofSummary, 'currencies'>>(SUMMARY),
      pool.query<ProofSummary['currencies'][number]>(DIFFERENCES),
    ]);
    return { ...summary.rows[0]!, currencies: differences.rows };
  },
});
