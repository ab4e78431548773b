// What proofs leave in the database: the last result, and checkpoints, one chain per marketplace. The hash of a checkpoint covers its
// content and the hash of the checkpoint before; a full checkpoint follows the full one before. So an altered checkpoint is found before a
// proof begins at it.

import { hash } from 'node:crypto';
import type pg from 'pg';
import { inSnapshot } from '../postgres/connection.ts';
import { formatExact } from './money.ts';
import type { Proof } from './proof-checks.ts';

export type Checkpoint = {
  readonly number: bigint;
  readonly isFull: boolean;
  readonly auditSeq: bigint;
  readonly auditHash: string;
  readonly postings: bigint;
  readonly accounts: bigint;
  readonly sums: string;
  readonly madeAt: string;
  readonly previousHash: string;
  readonly hash: string;
};

/** The end of the audit chain of a marketplace. */
export type ChainEnd = { readonly seq: bigint; readonly hash: string };

/** `problem`: why no proof may begin at `last`; null when it may, or when there is no checkpoint yet. */
export type CheckpointsRead = { readonly last: Checkpoint | null; readonly problem: string | null };

const COLUMNS = `c.number, c.is_full as "isFull", c.audit_seq as "auditSeq", c.audit_hash as "auditHash", c.postings,
  c.accounts, c.sums, c.made_at as "madeAt", c.previous_hash as "previousHash", c.hash`;

// Those since the last full one, and all full ones: one for each day.
const CHAIN = `select ${COLUMNS} from proof_checkpoints c where c.marketplace_id = $1 and (c.is_full or c.number >
    coalesce((select max(f.number) from proof_checkpoints f where f.marketplace_id = $1 and f.is_full), 0))
  order by c.number`;

const HEAD = 'select audit_seq as seq, audit_hash as hash from marketplaces where marketplace_id = $1';
// The entry of a checkpoint may be the last one that was archived.
const ENTRY = `select e.hash from audit_entries e where e.marketplace_id = $1 and e.seq = $2
  union all select c.audit_hash from archived_chains c where c.marketplace_id = $1 and c.audit_seq = $2`;

type Content = Omit<Checkpoint, 'hash'>;

const hashOf = (marketplaceId: string, of: Content): string =>
  hash(
    'sha256',
    JSON.stringify([
      of.previousHash,
      marketplaceId,
      String(of.number),
      of.isFull,
      String(of.auditSeq),
      of.auditHash,
      String(of.postings),
      String(of.accounts),
      of.sums,
      of.madeAt,
    ]),
    'base64',
  );

const brokenLink = (marketplaceId: string, chain: readonly Checkpoint[]): string | null => {
  let lastFull: Checkpoint | null = null;
  let before: Checkpoint | null = null;
  for (const one of chain) {
    const previous: Checkpoint | null = one.isFull ? lastFull : before;
    if (hashOf(marketplaceId, one) !== one.hash)
      return `Checkpoint ${one.number} was altered: its hash does not match.`;
    const isNext = one.isFull || previous?.number === one.number - 1n;
    if (!isNext || one.previousHash !== (previous?.hash ?? '')) {
      return `Checkpoint ${one.number} does not follow the checkpoint before: a checkpoint was removed or replaced.`;
    }
    if (one.isFull) lastFull = one;
    before = one;
  }
  return null;
};

type Asked = { readonly marketplaceId: string; readonly end: ChainEnd };

const misplaced = async (client: pg.PoolClient, asked: Asked & { last: Checkpoint }): Promise<string | null> => {
  const { marketplaceId, end, last } = asked;
  if (last.auditSeq > end.seq) {
    return `Checkpoint ${last.number} is of audit entry ${last.auditSeq}, but the audit trail ends at entry ${end.seq}: the database is older than its checkpoint.`;
  }
  const { rows } = await client.query<{ hash: string }>(ENTRY, [marketplaceId, last.auditSeq]);
  if (rows[0]?.hash === last.auditHash) return null;
  return `Audit entry ${last.auditSeq} has another hash than checkpoint ${last.number} recorded.`;
};

/** The last checkpoint, and whether the chain of checkpoints is intact and belongs to this audit trail. The client is in a snapshot. */
export const readCheckpoints = async (client: pg.PoolClient, asked: Asked): Promise<CheckpointsRead> => {
  const { rows: chain } = await client.query<Checkpoint>(CHAIN, [asked.marketplaceId]);
  const last = chain.at(-1) ?? null;
  if (last === null) return { last, problem: null };
  return { last, problem: brokenLink(asked.marketplaceId, chain) ?? (await misplaced(client, { ...asked, last })) };
};

export const readChainEnd = async (client: pg.PoolClient, marketplaceId: string): Promise<ChainEnd> =>
  (await client.query<ChainEnd>(HEAD, [marketplaceId])).rows[0] ?? { seq: 0n, hash: '' };

/** The last checkpoint if a proof may begin at it. */
export const findCheckpoint = (pool: pg.Pool, marketplaceId: string): Promise<Checkpoint | null> =>
  inSnapshot(pool, async (client) => {
    const end = await readChainEnd(client, marketplaceId);
    const { last, problem } = await readCheckpoints(client, { marketplaceId, end });
    return problem === null ? last : null;
  });

type NewCheckpoint = Omit<Content, 'number' | 'previousHash'> & { readonly marketplaceId: string };

// Two processes may make the next one at the same time. The first one is kept.
const INSERT = `insert into proof_checkpoints (marketplace_id, number, is_full, audit_seq, audit_hash, postings, accounts,
    sums, made_at, previous_hash, hash) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (marketplace_id, number) do nothing`;

const LAST = `select c.number, c.hash, f.hash as "fullHash" from proof_checkpoints c
  left join lateral (select f.hash from proof_checkpoints f where f.marketplace_id = $1 and f.is_full
    order by f.number desc limit 1) f on true
  where c.marketplace_id = $1 order by c.number desc limit 1`;

const THIN = `delete from proof_checkpoints c where c.marketplace_id = $1 and not c.is_full and c.number < $2`;

type Last = { readonly number: bigint; readonly hash: string; readonly fullHash: string | null };

/** False when another process added the checkpoint of this number first. */
const insertNext = async (pool: pg.Pool, { marketplaceId, ...made }: NewCheckpoint): Promise<boolean> => {
  const last = (await pool.query<Last>(LAST, [marketplaceId])).rows[0];
  const number = (last?.number ?? 0n) + 1n;
  const previousHash = (made.isFull ? last?.fullHash : last?.hash) ?? '';
  const { rowCount } = await pool.query(INSERT, [
    marketplaceId,
    number,
    made.isFull,
    made.auditSeq,
    made.auditHash,
    made.postings,
    made.accounts,
    made.sums,
    made.madeAt,
    previousHash,
    hashOf(marketplaceId, { ...made, number, previousHash }),
  ]);
  // Only behind a full one: otherwise the next in the chain would lose the one that it follows.
  if (rowCount === 1 && made.isFull) await pool.query(THIN, [marketplaceId, number]);
  return rowCount === 1;
};

/** Adds a checkpoint. A full one replaces those since the full one before. */
export const addCheckpoint = async (pool: pg.Pool, made: NewCheckpoint): Promise<void> => {
  const isAdded = await insertNext(pool, made);
  // The other process may have added one that is not full.
  if (!isAdded && made.isFull) await insertNext(pool, made);
};

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

/**
 * The last proof of every marketplace, as the jobs computed it, for health and metrics. What a full proof found stays until the next full
 * proof: a proof from a checkpoint does not read what is before the checkpoint.
 */
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
