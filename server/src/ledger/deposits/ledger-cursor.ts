// How far the payments of the whole network have been read, and how far they have been read a second time: two rows in mkt_default. This
// is no state of the books, so no command writes it: a cursor that is too old only reads payments again, and each is credited once. It
// never moves back.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import type pg from 'pg';

type Reached = {
  /** Every deposit up to here is in the books, or is a break. */
  readonly cursor: string;
  /** False: deposits of wallets that are older than the cursor may be missing. */
  readonly caughtUp: boolean;
  /** Up to here the payments have been read a second time, later. A server of the ledger may leave a payment out of one answer. */
  readonly checked: string;
};

export type LedgerCursor = ReturnType<typeof createLedgerCursor>;

const PLACE = [DEFAULT_MARKETPLACE, 'payments'];

const CHECKED = 'payments-checked';

const READ = `select t.cursor::text, t.caught_up as "caughtUp", least(t.cursor, c.cursor)::text as checked from ledger_cursors t
  left join ledger_cursors c on c.marketplace_id = t.marketplace_id and c.id = '${CHECKED}'
  where t.marketplace_id = $1 and t.id = $2`;

const OPEN = `insert into ledger_cursors (marketplace_id, id, cursor, caught_up, updated_at) values ($1, $2, $3, false, now())
  on conflict do nothing`;

const MOVE = `update ledger_cursors set cursor = greatest(cursor, $3), updated_at = now()
  where marketplace_id = $1 and id = $2`;

const CHECK = `insert into ledger_cursors as t (marketplace_id, id, cursor, caught_up, updated_at)
  values ($1, '${CHECKED}', $2, true, now())
  on conflict (marketplace_id, id) do update set cursor = greatest(t.cursor, excluded.cursor), updated_at = excluded.updated_at`;

const CATCH_UP = `update ledger_cursors set caught_up = true, updated_at = now() where marketplace_id = $1 and id = $2`;

/** The later one of two cursors. */
export const laterOf = (a: string, b: string): string => (BigInt(a) < BigInt(b) ? b : a);

export const earlierOf = (a: string, b: string): string => (BigInt(a) < BigInt(b) ? a : b);

/** The number of the ledger that the cursor is in. */
export const ledgerOf = (cursor: string): bigint => BigInt(cursor) >> 32n;

/** The cursor behind every operation of the ledger. */
export const endOf = (ledger: number): string => String((BigInt(ledger + 1) << 32n) - 1n);

/** A part of a contract call has a number behind the id of its operation. */
export const operationOf = (paymentId: string): bigint => BigInt(paymentId.split('-')[0]!);

const moveChecked = async (pool: pg.Pool, cursor: string): Promise<void> => {
  await pool.query({ name: 'move-checked-cursor', text: CHECK, values: [DEFAULT_MARKETPLACE, cursor] });
};

export const createLedgerCursor = (pool: pg.Pool) => ({
  /** Null before the first server has begun. */
  async read(): Promise<Reached | null> {
    return (await pool.query<Reached>({ name: 'ledger-cursor', text: READ, values: PLACE })).rows[0] ?? null;
  },

  /** Nothing happens when another process has begun. */
  async begin(cursor: string): Promise<void> {
    await pool.query(OPEN, [...PLACE, cursor]);
    await moveChecked(pool, cursor);
  },

  async moveTo(cursor: string): Promise<void> {
    await pool.query({ name: 'move-ledger-cursor', text: MOVE, values: [...PLACE, cursor] });
  },

  /** The payments up to here have been read a second time. */
  moveChecked: (cursor: string): Promise<void> => moveChecked(pool, cursor),

  async finishCatchUp(): Promise<void> {
    await pool.query(CATCH_UP, PLACE);
  },
});
