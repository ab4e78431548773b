// Deletes alerts that ended longer ago than their retention, marketplace by marketplace and a batch at a time. Open alerts stay, and so
// does an alert whose e-mail is still due.

import type pg from 'pg';
import { readAcross } from '../../postgres/answering.ts';

const TRIM = `delete from alerts where marketplace_id = $1 and id = any(array(
    select id from alerts where marketplace_id = $1 and closed_at < $2 and opened_mail <> 'DUE' and closed_mail <> 'DUE'
      order by id limit $3))`;

/** One batch of each marketplace. Returns the number of deleted alerts. */
export const trimAlerts = async (pool: pg.Pool, options: { olderThan: string; batch: number }): Promise<number> => {
  const rows = await readAcross<{ marketplace_id: string }>(pool, { text: 'select marketplace_id from marketplaces' });
  let trimmed = 0;
  for (const { marketplace_id } of rows) {
    const values = [marketplace_id, options.olderThan, options.batch];
    trimmed += (await pool.query({ name: 'trim-alerts', text: TRIM, values })).rowCount ?? 0;
  }
  return trimmed;
};
