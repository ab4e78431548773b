// What no scenario of the tenancy tests asks about sealed closings, accepted breaks and public receipts: no month ends in it, no break is
// accepted, and public receipts are off.

import type pg from 'pg';
import { createClosingReads } from '../../server/src/modules/closings/queries.ts';
import { createReceiptReads } from '../../server/src/modules/receipts/queries.ts';
import { createBreakReads } from '../../server/src/modules/reconciliation/queries.ts';

const UNKNOWN = 'unknown';

export const askClosings = async (pool: pg.Pool, marketplaceId: string): Promise<void> => {
  await pool.query(
    `insert into closings (marketplace_id, id, version, from_at, to_at, audit_seq, currencies, days, hash, sealed_at)
     values ($1, '2020-01', 1, '2020-01-01', '2020-02-01', 1, '[]', '[]', '', now())`,
    [marketplaceId],
  );
  const closings = createClosingReads(pool);
  const sealed = await closings.find(marketplaceId, '2020-01');
  await closings.lateCount(marketplaceId, sealed!);
  await closings.assetsAt(marketplaceId, sealed!.toAt);
  await pool.query(
    `insert into accepted_breaks (marketplace_id, id, version, expected, actual, created_at, updated_at)
     values ($1, $2, 1, '0', '0', now(), now())`,
    [marketplaceId, UNKNOWN],
  );
  await createBreakReads(pool).acceptedAt(marketplaceId, UNKNOWN);
  await pool.query(
    `insert into receipt_links (marketplace_id, id, version, token_hash, expires_at, created_at, updated_at)
     values ($1, $2, 1, '', now(), now(), now())`,
    [marketplaceId, UNKNOWN],
  );
  await pool.query(
    'insert into opening_credits (marketplace_id, id, version, amount, created_at) values ($1, $2, 1, 1, now())',
    [marketplaceId, UNKNOWN],
  );
  const none = async (): Promise<null> => null;
  await createReceiptReads({ pool, findOrder: none, findHistory: none }).findLink(marketplaceId, UNKNOWN);
};
