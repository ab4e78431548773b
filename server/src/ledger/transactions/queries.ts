// Reads of the transactions that we signed: by hash, open ones and rejected ones. It only reads.

import type pg from 'pg';
import { type Amount, fromUnits } from '../../books/money.ts';
import { selected } from '../../commit/tables.ts';
import { readAcross } from '../../postgres/answering.ts';
import { byIds, byKeys } from '../../postgres/by-keys.ts';
import { shareReads } from '../../postgres/shared-read.ts';
import { LEDGER_TRANSACTIONS, type LedgerTransaction } from './ledger-transaction.ts';

const COLUMNS = selected(LEDGER_TRANSACTIONS);

export type OpenTransaction = { readonly marketplaceId: string; readonly source: string };

type Found = LedgerTransaction & { readonly marketplaceId: string };

/** Actions that may pay an address, in the forms that `t.actions @> any(…)` finds. */
export const payingTo = (address: string): string[] =>
  [{ to: address }, { address }, { addresses: [address] }].map((part) => JSON.stringify([part]));

/** A transaction `t` that has not used its number, as far as we know. */
export const UNUSED = `coalesce(t.ending, '') in ('rejected', 'expired')`;
/** One that has. */
export const USED = `t.state <> 'SIGNED' and not (${UNUSED})`;

// They stay in this list until they are known to have expired, or to be on the ledger after all.
const REJECTED = `select t.marketplace_id as "marketplaceId", ${COLUMNS} from ledger_transactions t
  where t.ending = 'rejected'`;

const EXPECTED = `select exists (select 1 from ledger_transactions t where t.marketplace_id = $1 and t.state = 'SIGNED'
  and t.id <> $2 and t.actions @> any($3::jsonb[])) as "isExpected"`;

// Each part is found by its own index: an `or` of them would read all transactions.
const numberIn = (what: string): string => `exists (select 1 from ledger_transactions t where t.marketplace_id = $1
  and (t.source || ':' || t.sequence) = ${what})`;

const NUMBERS = `select ${numberIn(`$3 and ${USED}`)} as "isPreviousUsed", ${numberIn(`$4 and ${USED}`)} as "isUsed",
  ${numberIn(`$4 and t.ending = 'expired'`)} or exists (select 1 from ledger_transactions t
    where t.marketplace_id = $1 and t.source = $2 and t.ending = 'rejected') as "hasUncertain"`;

/** What the rows say about the number that a wallet is about to sign. */
type KnownNumber = {
  readonly isPreviousUsed: boolean;
  readonly isUsed: boolean;
  /** A transaction was rejected, or expired with this number: it may be on the ledger after all. */
  readonly hasUncertain: boolean;
};

// A wallet has at most one.
const OPEN = `select ${COLUMNS} from ${byKeys('ledger_transactions', { key: 't.source', where: `t.state = 'SIGNED'` })}`;

/** By hash, and the open transaction of an address. */
const singleReads = (pool: pg.Pool) => {
  const openOf = shareReads<LedgerTransaction>(pool, { text: OPEN, key: 'source' });
  return {
    find: shareReads<LedgerTransaction>(pool, { text: `select ${COLUMNS} from ${byIds('ledger_transactions')}` }),
    findOpen: ({ marketplaceId, source }: OpenTransaction) => openOf(marketplaceId, source),
  };
};

export const createLedgerTransactionReads = (pool: pg.Pool) => ({
  ...singleReads(pool),

  /** Of all marketplaces, oldest first. */
  async listOpen(limit: number): Promise<OpenTransaction[]> {
    const text = `select t.marketplace_id as "marketplaceId", t.source from ledger_transactions t
       where t.state = 'SIGNED' order by t.created_at limit $1`;
    return readAcross<OpenTransaction>(pool, { text, values: [limit] });
  },

  /** Refused before they were in any ledger. A ledger may still include them until they expire. */
  async listRejected(limit: number): Promise<{ marketplaceId: string; transaction: LedgerTransaction }[]> {
    const rows = await readAcross<Found>(pool, { text: `${REJECTED} order by t.created_at limit $1`, values: [limit] });
    return rows.map(({ marketplaceId, ...transaction }) => ({ marketplaceId, transaction }));
  },

  async numberOf({ marketplaceId, source }: OpenTransaction, sequence: bigint): Promise<KnownNumber> {
    const values = [marketplaceId, source, `${source}:${sequence - 1n}`, `${source}:${sequence}`];
    return (await pool.query<KnownNumber>({ name: 'known-number', text: NUMBERS, values })).rows[0]!;
  },

  /** The rejected transactions of one address. */
  async rejectedOf({ marketplaceId, source }: OpenTransaction): Promise<LedgerTransaction[]> {
    const text = `${REJECTED} and t.marketplace_id = $1 and t.source = $2 order by t.created_at`;
    const { rows } = await pool.query<Found>(text, [marketplaceId, source]);
    return rows.map(({ marketplaceId: _, ...transaction }) => transaction);
  },

  /** Transactions of the address that were taken for expired and had this number: they may be on the ledger after all. */
  async expiredWith({ marketplaceId, source }: OpenTransaction, sequence: string): Promise<LedgerTransaction[]> {
    const text = `select ${COLUMNS} from ledger_transactions t where t.marketplace_id = $1
      and (t.source || ':' || t.sequence) = $2 and t.ending = 'expired'`;
    return (await pool.query<LedgerTransaction>(text, [marketplaceId, `${source}:${sequence}`])).rows;
  },

  /** The bump of a transaction with the highest bid. */
  async highestBump(marketplaceId: string, transactionId: string): Promise<{ readonly bid: Amount } | null> {
    const { rows } = await pool.query<{ bid: bigint }>(
      `select max(bid) as bid from ledger_bumps where marketplace_id = $1 and transaction_id = $2 having count(*) > 0`,
      [marketplaceId, transactionId],
    );
    return rows[0] ? { bid: fromUnits(rows[0].bid) } : null;
  },

  /** Whether an open transaction other than this one may pay the address. */
  async isExpected(of: { marketplaceId: string; address: string; besides: string }): Promise<boolean> {
    const values = [of.marketplaceId, of.besides, payingTo(of.address)];
    return (await pool.query<{ isExpected: boolean }>(EXPECTED, values)).rows[0]!.isExpected;
  },
});

export type LedgerTransactionReads = ReturnType<typeof createLedgerTransactionReads>;
