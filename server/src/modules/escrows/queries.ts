// Reads the rows that a call of an escrow contract depends on. It only reads.

import type pg from 'pg';
import type { CallRows } from './call-rows.ts';

type CallPlace = { readonly marketplaceId: string; readonly operationId: string; readonly escrowId: string };

const CALL_ROWS = `select json_build_object('state', o.state) as operation,
    json_build_object('calls', e.calls, 'transactionId', e.transaction_id) as escrow
  from operations o join escrows e on e.marketplace_id = o.marketplace_id and e.id = $3
  where o.marketplace_id = $1 and o.id = $2`;

/** Null when there are no such rows. */
export type FindCallRows = (place: CallPlace) => Promise<CallRows | null>;

export const createFindCallRows =
  (pool: pg.Pool): FindCallRows =>
  async ({ marketplaceId, operationId, escrowId }) => {
    const { rows } = await pool.query<CallRows>(CALL_ROWS, [marketplaceId, operationId, escrowId]);
    return rows[0] ?? null;
  };
