// Deletes deliveries that are older than their retention, with their attempts, marketplace by marketplace and a batch at a time. What will
// be tried again stays, also while its endpoint is disabled; what waits for a deleted endpoint does not.

import type pg from 'pg';
import { readAcross } from '../../postgres/answering.ts';

const TRIM = `delete from webhook_deliveries where marketplace_id = $1 and id = any(array(
    select t.id from webhook_deliveries t where t.marketplace_id = $1 and t.created_at < $2
      and (t.status <> 'PENDING' or t.endpoint_id = any(array(
        select e.id from webhook_endpoints e where e.marketplace_id = $1 and e.state = 'deleted')))
      order by t.created_at limit $3))`;

/** One batch of each marketplace. Returns the number of deleted deliveries. */
export const trimDeliveries = async (pool: pg.Pool, options: { olderThan: string; batch: number }): Promise<number> => {
  const rows = await readAcross<{ marketplace_id: string }>(pool, { text: 'select marketplace_id from marketplaces' });
  let trimmed = 0;
  for (const { marketplace_id } of rows) {
    const values = [marketplace_id, options.olderThan, options.batch];
    trimmed += (await pool.query({ name: 'trim-webhook-deliveries', text: TRIM, values })).rowCount ?? 0;
  }
  return trimmed;
};
