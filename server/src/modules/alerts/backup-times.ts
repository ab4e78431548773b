// When the last backup was taken. `npm run backup` writes it; the alert about a late backup reads it. It is no state of a marketplace, so
// it does not go through the committer.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';

const RECORD = `insert into backup_times as b (marketplace_id, taken_at) values ($1, $2)
  on conflict (marketplace_id) do update set taken_at = excluded.taken_at where b.taken_at < excluded.taken_at`;

const LAST = `select taken_at as "takenAt" from backup_times where marketplace_id = $1`;

export const recordBackup = async (client: Pick<pg.Client, 'query'>, takenAt: string): Promise<void> => {
  await client.query(RECORD, [DEFAULT_MARKETPLACE, takenAt]);
};

/** Null: no backup was recorded. */
export const findLastBackup = async (pool: pg.Pool): Promise<string | null> =>
  (await pool.query<{ takenAt: string }>(LAST, [DEFAULT_MARKETPLACE])).rows[0]?.takenAt ?? null;
