// Reads of the transactions that we signed, by hash and by what is still on its way.

import type pg from 'pg';
import type { LedgerTransaction } from '../../domain/ledger-transaction.ts';
import { selected } from '../tables.ts';

const COLUMNS = selected('ledgerTransactions');

export type OpenTransaction = { readonly marketplaceId: string; readonly source: string };

export const createLedgerTransactionReads = (pool: pg.Pool) => ({
  async find(marketplaceId: string, hash: string): Promise<LedgerTransaction | null> {
    const { rows } = await pool.query<LedgerTransaction>(
      `select ${COLUMNS} from ledger_transactions t where t.marketplace_id = $1 and t.id = $2`,
      [marketplaceId, hash],
    );
    return rows[0] ?? null;
  },

  /** The one of this address that is on its way. */
  async findOpen({ marketplaceId, source }: OpenTransaction): Promise<LedgerTransaction | null> {
    const { rows } = await pool.query<LedgerTransaction>(
      `select ${COLUMNS} from ledger_transactions t
       where t.marketplace_id = $1 and t.source = $2 and t.state = 'SIGNED'`,
      [marketplaceId, source],
    );
    return rows[0] ?? null;
  },

  /** Of all marketplaces, oldest first. */
  async listOpen(limit: number): Promise<OpenTransaction[]> {
    const { rows } = await pool.query<OpenTransaction>(
      `select t.marketplace_id as "marketplaceId", t.source from ledger_transactions t
       where t.state = 'SIGNED' order by t.created_at limit $1`,
      [limit],
    );
    return rows;
  },
});

export type LedgerTransactionReads = ReturnType<typeof createLedgerTransactionReads>;
