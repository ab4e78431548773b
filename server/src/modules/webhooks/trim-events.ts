// Deletes the records of decided webhooks that are older than their retention, marketplace by marketplace and a batch at a time.

import type pg from 'pg';
import { readAcross } from '../../postgres/answering.ts';

const TRIM = `delete from webhook_events where marketplace_id = $1 and id = any(array(
    select id from webhook_events where marketplace_id = $1 and state <> 'PENDING' and next_attempt_at is null
      and updated_at < $2 order by updated_at limit $3))`;

/** One batch of each marketplace. Returns the number of deleted records. */
export const trimWebhookEvents = async (
  pool: pg.Pool,
  options: { olderThan: string; batch: number },
): Promise<number> => {
  const rows = await readAcross<{ marketplace_id: string }>(pool, { text: 'select marketplace_id from marketplaces' });
  let trimmed = 0;
  for (const { marketplace_id } of rows) {
    const values = [marketplace_id, options.olderThan, options.batch];
    trimmed += (await pool.query({ name: 'trim-webhook-events', text: TRIM, values })).rowCount ?? 0;
  }
  return trimmed;
};
