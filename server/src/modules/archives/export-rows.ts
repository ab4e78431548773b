// Reads the rows of a closed period from one snapshot of the database, table by table, and writes them to files. Everything that is open,
// and what open things refer to, is left out. It only reads.

import type pg from 'pg';
import { ARCHIVED_TABLES, type ArchivedTable } from '../../commit/archived-rows.ts';
import { SLICE_ROWS, type Slice, writeSlice } from './slices.ts';

/** The rows of a period. */
export type Scope = {
  readonly marketplaceId: string;
  readonly endsAt: string;
  /** The audit entries of the period are those after this number, up to `last`. */
  readonly after: bigint;
  readonly last: bigint;
};

type Source = { readonly where: string; readonly values: (scope: Scope) => unknown[]; readonly order: string };

const OF_CHAIN = (scope: Scope): unknown[] => [scope.marketplaceId, scope.after, scope.last];
const OF_TIME = (scope: Scope): unknown[] => [scope.marketplaceId, scope.endsAt];

/** Whether the record with this id is open, or was open at the end of the period. `$2` is that end. */
const isOpen = (id: string): string => `(exists (select 1 from orders o where o.marketplace_id = $1 and o.id = ${id}
        and (o.status <> 'CLOSED' or o.updated_at >= $2))
      or exists (select 1 from withdrawals w where w.marketplace_id = $1 and w.id = ${id}
        and (w.status not in ('WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED') or w.updated_at >= $2)))`;

/** Sorted by account in the order of the bytes, so that a reader finds an account by the first and last account of each file. */
const SOURCES: Readonly<Record<ArchivedTable, Source>> = {
  postings: {
    // The time is a second condition, because an index of the times finds the pages of the period. Clocks differ by less than a day.
    where: `t.marketplace_id = $1 and t.audit_seq > $2 and t.audit_seq <= $3
      and t.posted_at < $4::timestamptz + interval '1 day'`,
    values: (scope) => [...OF_CHAIN(scope), scope.endsAt],
    order: 't.account_id collate "C", t.seq',
  },
  audit_entries: {
    where: 't.marketplace_id = $1 and t.seq > $2 and t.seq <= $3',
    values: OF_CHAIN,
    order: 't.seq',
  },
  events: { where: 't.marketplace_id = $1 and t.occurred_at < $2', values: OF_TIME, order: 't.position' },
  operations: {
    where: `t.marketplace_id = $1 and t.updated_at < $2 and t.state <> 'RUNNING'
      and exists (select 1 from orders o where o.marketplace_id = $1 and o.id = t.order_id and o.status = 'CLOSED'
        and o.updated_at < $2 and o.operation_id is distinct from t.id)`,
    values: OF_TIME,
    order: 't.id',
  },
  webhook_events: {
    where: `t.marketplace_id = $1 and t.updated_at < $2 and t.state <> 'PENDING' and t.next_attempt_at is null
      and not ${isOpen('t.subject_id')}`,
    values: OF_TIME,
    order: 't.id',
  },
  ledger_transactions: {
    where: `t.marketplace_id = $1 and t.updated_at < $2 and t.state = 'SUCCEEDED' and t.envelope <> ''
      and not ${isOpen("coalesce(t.actions -> 0 ->> 'orderId', t.actions -> 0 ->> 'withdrawalId')")}`,
    values: OF_TIME,
    order: 't.id',
  },
};

const LAST_SEQ = `select coalesce((select t.seq - 1 from audit_entries t where t.marketplace_id = $1 and t.seq > $2
      and t.occurred_at >= $3 order by t.seq limit 1),
    (select m.audit_seq from marketplaces m where m.marketplace_id = $1)) as last`;

/** The number of the last entry before the first one of a later period. */
export const findLastSeq = async (
  pool: pg.Pool,
  of: { marketplaceId: string; after: bigint; endsAt: string },
): Promise<bigint> =>
  (await pool.query<{ last: bigint }>(LAST_SEQ, [of.marketplaceId, of.after, of.endsAt])).rows[0]?.last ?? of.after;

const HASH = 'select hash from audit_entries where marketplace_id = $1 and seq = $2';

export const hashOfEntry = async (pool: pg.Pool, of: { marketplaceId: string; seq: bigint }): Promise<string> =>
  (await pool.query<{ hash: string }>(HASH, [of.marketplaceId, of.seq])).rows[0]!.hash;

type Exported = { readonly files: Slice[]; readonly rows: Record<ArchivedTable, number> };

const exportTable = async (client: pg.PoolClient, of: { table: ArchivedTable; scope: Scope; folder: string }) => {
  const { where, values, order } = SOURCES[of.table];
  const select = `select row_to_json(t)::text as line from ${of.table} t where ${where} order by ${order}`;
  await client.query(`declare archived no scroll cursor for ${select}`, values(of.scope));
  const files: Slice[] = [];
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${SLICE_ROWS} from archived`);
    if (rows.length === 0) break;
    const lines = rows.map(({ line }) => line);
    files.push(await writeSlice(of.folder, { table: of.table, number: files.length + 1, lines }));
  }
  await client.query('close archived');
  return files;
};

/** Writes every table into the folder, which must be empty. */
export const exportRows = async (
  pool: pg.Pool,
  { scope, folder }: { scope: Scope; folder: string },
): Promise<Exported> => {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    // A month of postings is sorted by account, which may take longer than the usual statement timeout.
    await client.query("set local statement_timeout = '30min'");
    const files: Slice[] = [];
    const rows = {} as Record<ArchivedTable, number>;
    for (const table of ARCHIVED_TABLES) {
      const written = await exportTable(client, { table, scope, folder });
      rows[table] = written.reduce((sum, slice) => sum + slice.rows, 0);
      files.push(...written);
    }
    await client.query('commit');
    return { files, rows };
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
};
