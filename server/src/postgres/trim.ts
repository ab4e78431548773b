// Deletes what may go, a batch at a time, so that no lock is held for long.

import type pg from 'pg';

const BATCH = 5_000;

const TRIM_ANSWERS = `delete from idempotency_answers a using (
    select marketplace_id, key_hash from idempotency_answers where expires_at < now() limit ${BATCH}
  ) old where a.marketplace_id = old.marketplace_id and a.key_hash = old.key_hash and a.expires_at < now()`;

export const trimAnswers = async (pool: pg.Pool): Promise<number> => (await pool.query(TRIM_ANSWERS)).rowCount ?? 0;
