// Reads of the transactions that we signed, by hash and by what is still on its way, and of the rows that a call of an
// escrow contract depends on.

import type pg from 'pg';
import { selected } from '../../commit/table-sql.ts';
import type { CallStanding } from '../../modules/escrows/call-rows.ts';
import { LEDGER_TRANSACTIONS, type LedgerTransaction } from './ledger-transaction.ts';

const COLUMNS = selected(LEDGER_TRANSACTIONS);

export type OpenTransaction = { readonly marketplaceId: string; readonly source: string };

type Found = LedgerTransaction & { readonly marketplaceId: string };
type CallPlace = { readonly marketplaceId: string; readonly operationId: string; readonly escrowId: string };

/** Actions that may pay an address, in the forms that `t.actions @> any(…)` finds. */
export const payingTo = (address: string): string[] =>
  [{ to: address }, { address }, { addresses: [address] }].map((part) => JSON.stringify([part]));

// Until they are seen to be past their time, or on the ledger after all.
const REJECTED = `select t.marketplace_id as "marketplaceId", ${COLUMNS} from ledger_transactions t
  where t.state = 'FAILED' and t.failure like 'rejected: %'`;

const EXPECTED = `select exists (select 1 from ledger_transactions t where t.marketplace_id = $1 and t.state = 'SIGNED'
  and t.id <> $2 and t.actions @> any($3::jsonb[])) as "isExpected"`;

const STANDING = `select json_build_object('state', o.state) as operation,
    json_build_object('calls', e.calls, 'transactionId', e.transaction_id) as escrow
  from operations o join escrows e on e.marketplace_id = o.marketplace_id and e.id = $3
  where o.marketplace_id = $1 and o.id = $2`;

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

  /** Refused before they were in any ledger, and so young that they might still have come into one. */
  async listRejected(limit: number): Promise<{ marketplaceId: string; transaction: LedgerTransaction }[]> {
    const { rows } = await pool.query<Found>(`${REJECTED} order by t.created_at limit $1`, [limit]);
    return rows.map(({ marketplaceId, ...transaction }) => ({ marketplaceId, transaction }));
  },

  /** Those of one address. */
  async rejectedOf({ marketplaceId, source }: OpenTransaction): Promise<LedgerTransaction[]> {
    const text = `${REJECTED} and t.marketplace_id = $1 and t.source = $2 order by t.created_at`;
    const { rows } = await pool.query<Found>(text, [marketplaceId, source]);
    return rows.map(({ marketplaceId: _, ...transaction }) => transaction);
  },

  /** Whether another transaction than this one is on its way that may pay the address. */
  async isExpected(of: { marketplaceId: string; address: string; besides: string }): Promise<boolean> {
    const values = [of.marketplaceId, of.besides, payingTo(of.address)];
    return (await pool.query<{ isExpected: boolean }>(EXPECTED, values)).rows[0]!.isExpected;
  },

  /** What decides whether a call of an escrow contract may be made; null when there are no such rows. */
  async standing({ marketplaceId, operationId, escrowId }: CallPlace): Promise<CallStanding | null> {
    const { rows } = await pool.query<CallStanding>(STANDING, [marketplaceId, operationId, escrowId]);
    return rows[0] ?? null;
  },
});

export type LedgerTransactionReads = ReturnType<typeof createLedgerTransactionReads>;
