// Reads of the archives of a marketplace, and of the place where its hot rows begin. It only reads.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import { ENDS_OF_ACCOUNTS, type EndsSum, parseEnds } from './account-ends.ts';
import { ARCHIVES, type Archive } from './archive.ts';

/** The last entry of the audit chain that has left the hot tables. */
type ChainBase = { readonly seq: bigint; readonly hash: string };

const LIST = `select ${selected(ARCHIVES)} from archives t where t.marketplace_id = $1 order by t.last_seq, t.id`;

const CHAIN = 'select audit_seq as seq, audit_hash as hash from archived_chains where marketplace_id = $1';

const ACCOUNTS = `select account_id as id, postings from archived_accounts where marketplace_id = $1 and account_id = any($2)`;

const FIRST_ENTRY = `select occurred_at as at from audit_entries where marketplace_id = $1 order by seq limit 1`;

const CHECKPOINT = 'select max(audit_seq) as seq from proof_checkpoints where marketplace_id = $1';

export const createArchiveReads = (pool: Pick<pg.Pool, 'query'>) => ({
  /** Oldest first, in every state. */
  async list(marketplaceId: string): Promise<Archive[]> {
    return (await pool.query<Archive>(LIST, [marketplaceId])).rows;
  },

  async chainBase(marketplaceId: string): Promise<ChainBase> {
    return (await pool.query<ChainBase>(CHAIN, [marketplaceId])).rows[0] ?? { seq: 0n, hash: '' };
  },

  /** How many postings of each account have left the hot tables. */
  async accountBases(marketplaceId: string, accountIds: readonly string[]): Promise<Map<string, bigint>> {
    const { rows } = await pool.query<{ id: string; postings: bigint }>(ACCOUNTS, [marketplaceId, accountIds]);
    return new Map(rows.map(({ id, postings }) => [id, postings]));
  },

  /** The sum of the ends of the accounts in the rows that have left the hot tables, with this key. */
  async accountEnds(marketplaceId: string, key: string): Promise<EndsSum> {
    const { rows } = await pool.query<Record<string, string>>(ENDS_OF_ACCOUNTS, [marketplaceId, key]);
    return parseEnds(rows[0]!);
  },

  /** The audit entry of the newest checkpoint; null when there is none. */
  async checkpointSeq(marketplaceId: string): Promise<bigint | null> {
    return (await pool.query<{ seq: bigint | null }>(CHECKPOINT, [marketplaceId])).rows[0]?.seq ?? null;
  },

  /** The time of the first hot entry; null when there is none. */
  async firstEntryAt(marketplaceId: string): Promise<string | null> {
    return (await pool.query<{ at: string }>(FIRST_ENTRY, [marketplaceId])).rows[0]?.at ?? null;
  },
});

export type ArchiveReads = ReturnType<typeof createArchiveReads>;
