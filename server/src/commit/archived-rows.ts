// Moves rows of a closed period out of the hot tables, and back. Each statement is one transaction that changes the hot rows together
// with the figures of archived_accounts or archived_chains, and fails unless both agree with the verified files. So the proof holds at
// every moment, and a stopped removal continues where it was.

import type pg from 'pg';

/** The end of an account's postings in a chunk of a file: the number of its last posting, and the balance after it. */
export type AccountEnd = { readonly accountId: string; readonly last: bigint; readonly balance: bigint };

/** The place of an account before its first posting in a chunk. */
export type AccountStart = { readonly accountId: string; readonly before: bigint; readonly balance: bigint };

type EntryRange = { readonly after: bigint; readonly last: bigint; readonly hash: string };

/** The hot tables whose rows go into files. */
export const ARCHIVED_TABLES = [
  'postings',
  'audit_entries',
  'events',
  'operations',
  'webhook_events',
  'ledger_transactions',
] as const;

export type ArchivedTable = (typeof ARCHIVED_TABLES)[number];

// The new figures come before the removal: a distributed database carries the parts out one after the other, and the trigger of each removal
// asks for the figures.
const REMOVE_POSTINGS = `with chunk as (
    select * from unnest($2::text[], $3::bigint[], $4::bigint[]) k (account_id, last, balance)
  ), sums as (
    select p.account_id, count(*) as postings, sum(p.amount)::bigint as balance from postings p join chunk k
    on p.account_id = k.account_id and p.seq <= k.last where p.marketplace_id = $1 group by p.account_id
  ), moved as (
    insert into archived_accounts as t (marketplace_id, account_id, postings, balance)
    select $1, account_id, postings, balance from sums
    on conflict (marketplace_id, account_id) do update
      set postings = t.postings + excluded.postings, balance = t.balance + excluded.balance
    returning account_id, postings, balance
  ), gone as (
    delete from postings p using chunk k where p.marketplace_id = $1 and p.account_id = k.account_id and p.seq <= k.last
    returning p.account_id
  )
  select require_rows((select count(*) from moved m join chunk k
      on k.account_id = m.account_id and k.last = m.postings and k.balance = m.balance),
      (select count(*) from chunk), 'archived_accounts'),
    require_rows((select count(*) from gone), (select sum(postings)::bigint from sums), 'postings')`;

const REMOVE_ENTRIES = `with moved as (
    insert into archived_chains as t (marketplace_id, audit_seq, audit_hash) values ($1, $3::bigint, $4)
    on conflict (marketplace_id) do update set audit_seq = excluded.audit_seq, audit_hash = excluded.audit_hash
      where t.audit_seq = $2::bigint
    returning 1
  ), gone as (
    delete from audit_entries where marketplace_id = $1 and seq > $2::bigint and seq <= $3::bigint returning seq, hash
  )
  select require_rows((select count(*) from gone), $3::bigint - $2::bigint, 'audit_entries'),
    require_rows((select count(*) from gone where seq = $3::bigint and hash = $4), 1, 'audit_entries with this hash'),
    require_rows((select count(*) from moved), 1, 'archived_chains')`;

const REMOVE_EVENTS = `delete from events where marketplace_id = $1 and position = any($2::bigint[])`;

// A row that changed after it was copied stays: it is archived again with a later period.
const removeRows = (table: ArchivedTable): string =>
  `delete from ${table} t using unnest($2::text[], $3::integer[]) k (id, version)
   where t.marketplace_id = $1 and t.id = k.id and t.version = k.version`;

// The row stays: its hash, its number and its actions tell our own payments from deposits when the ledger is read again.
const STRIP_ENVELOPES = `update ledger_transactions t set envelope = '', version = t.version + 1
  from unnest($2::text[], $3::integer[]) k (id, version)
  where t.marketplace_id = $1 and t.id = k.id and t.version = k.version`;

const RESTORE_ENVELOPES = `update ledger_transactions t set envelope = r.envelope, version = t.version + 1
  from json_populate_recordset(null::ledger_transactions, $2) r
  where t.marketplace_id = $1 and r.marketplace_id = $1 and t.id = r.id and t.envelope = ''`;

const RESTORE_POSTINGS = `with chunk as (
    select * from unnest($3::text[], $4::bigint[], $5::bigint[]) k (account_id, before, balance)
  ), back as (
    insert into postings select * from json_populate_recordset(null::postings, $2) r where r.marketplace_id = $1
    returning account_id, amount
  ), sums as (
    select account_id, count(*) as postings, sum(amount) as balance from back group by account_id
  ), moved as (
    update archived_accounts t set postings = t.postings - s.postings, balance = t.balance - s.balance
    from sums s where t.marketplace_id = $1 and t.account_id = s.account_id
    returning t.account_id, t.postings, t.balance
  )
  select require_rows((select count(*) from moved m join chunk k
    on k.account_id = m.account_id and k.before = m.postings and k.balance = m.balance),
    (select count(*) from chunk), 'archived_accounts')`;

const RESTORE_ENTRIES = `with back as (
    insert into audit_entries select * from json_populate_recordset(null::audit_entries, $2) r where r.marketplace_id = $1
    returning seq
  ), moved as (
    update archived_chains set audit_seq = $3::bigint, audit_hash = $5
    where marketplace_id = $1 and audit_seq = $4::bigint returning 1
  )
  select require_rows((select count(*) from back), $4::bigint - $3::bigint, 'audit_entries'),
    require_rows((select count(*) from moved), 1, 'archived_chains')`;

const restoreRows = (table: ArchivedTable): string =>
  `insert into ${table} select * from json_populate_recordset(null::${table}, $2) r where r.marketplace_id = $1
   on conflict do nothing`;

/** The removal and the restoration of one marketplace. Rows are texts of JSON as PostgreSQL wrote them. */
export const createArchivedRows = (pool: pg.Pool, marketplaceId: string) => {
  const asArray = (lines: readonly string[]): string => `[${lines.join(',')}]`;
  return {
    async removePostings(ends: readonly AccountEnd[]): Promise<void> {
      const values = [ends.map((end) => end.accountId), ends.map((end) => end.last), ends.map((end) => end.balance)];
      await pool.query(REMOVE_POSTINGS, [marketplaceId, ...values]);
    },
    async removeEntries({ after, last, hash }: EntryRange): Promise<void> {
      await pool.query(REMOVE_ENTRIES, [marketplaceId, after, last, hash]);
    },
    async removeEvents(positions: readonly bigint[]): Promise<void> {
      await pool.query(REMOVE_EVENTS, [marketplaceId, positions]);
    },
    async removeRows(table: ArchivedTable, rows: readonly { id: string; version: bigint }[]): Promise<void> {
      const text = table === 'ledger_transactions' ? STRIP_ENVELOPES : removeRows(table);
      await pool.query(text, [marketplaceId, rows.map(({ id }) => id), rows.map(({ version }) => version)]);
    },
    async restorePostings(lines: readonly string[], starts: readonly AccountStart[]): Promise<void> {
      const ids = starts.map((start) => start.accountId);
      const places = [starts.map((start) => start.before), starts.map((start) => start.balance)];
      await pool.query(RESTORE_POSTINGS, [marketplaceId, asArray(lines), ids, ...places]);
    },
    async restoreEntries(lines: readonly string[], { after, last, hash }: EntryRange): Promise<void> {
      await pool.query(RESTORE_ENTRIES, [marketplaceId, asArray(lines), after, last, hash]);
    },
    async restoreRows(table: ArchivedTable, lines: readonly string[]): Promise<void> {
      const text = table === 'ledger_transactions' ? RESTORE_ENVELOPES : restoreRows(table);
      await pool.query(text, [marketplaceId, asArray(lines)]);
    },
  };
};

export type ArchivedRows = ReturnType<typeof createArchivedRows>;
