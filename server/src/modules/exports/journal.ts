// Reads every transfer of a range of time in the order of the audit chain, a window of the chain at a time. No window is larger than the
// memory of a small machine, and no snapshot stays open while a slow client reads. Archived months come from their files. It only reads.

import type pg from 'pg';
import { laterBy } from '../../base/instant.ts';
import { fromUnits } from '../../books/money.ts';
import { keptArchives } from '../archives/account-postings.ts';
import type { Archive } from '../archives/archive.ts';
import { createArchiveReads } from '../archives/queries.ts';
import { CLOCKS_DIFFER_MS, entriesInTime } from '../audit/entry-search.ts';
import { archivedWindows } from './archived-transfers.ts';
import type { Transfer } from './transfer.ts';

export type JournalRange = {
  readonly marketplaceId: string;
  /** Null: from the first posting. */
  readonly from: string | null;
  readonly to: string;
};

type Parts = {
  readonly pool: pg.Pool;
  /** The folder of all archives. */
  readonly dir: string;
  /** Runs each read of the database as a heavy read of the marketplace. */
  inTurn<Data>(marketplaceId: string, read: () => Promise<Data>): Promise<Data>;
  readonly windowEntries?: bigint;
};

/** Audit entries of one window. An entry has a few transfers, so a window takes about twenty megabytes. */
const WINDOW_ENTRIES = 25_000n;

const TIMES = `select min(occurred_at) as first, max(occurred_at) as last from audit_entries
  where marketplace_id = $1 and seq > $2 and seq <= $3`;

// The times find the pages of the window by the index of times. A posting and its entry have the same time, but for the last digits.
const WINDOW = `select audit_seq as "auditSeq", seq, counter_account_id as "from", account_id as "to", amount, move, reference,
    description, posted_at as "postedAt"
  from postings where marketplace_id = $1 and audit_seq > $2 and audit_seq <= $3 and amount > 0
    and posted_at >= $4::timestamptz - interval '1 second' and posted_at <= $5::timestamptz + interval '1 second'
  order by audit_seq, account_id collate "C", seq`;

type TransferRow = Omit<Transfer, 'amount'> & { readonly amount: bigint };

type Window = { readonly after: bigint; readonly last: bigint };

const readWindow = async (pool: pg.Pool, { marketplaceId, after, last }: Window & { marketplaceId: string }) => {
  const found = await pool.query<{ first: string | null; last: string }>(TIMES, [marketplaceId, after, last]);
  const times = found.rows[0]!;
  if (times.first === null) return [];
  const { rows } = await pool.query<TransferRow>(WINDOW, [marketplaceId, after, last, times.first, times.last]);
  return rows.map((row): Transfer => ({ ...row, amount: fromUnits(row.amount) }));
};

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Whether an archive that begins at this time can have rows of the range. */
const beginsBefore = (to: string, beginsAt: string | undefined): boolean =>
  beginsAt === undefined || beginsAt < laterBy(to, CLOCKS_DIFFER_MS);

export const createJournal = ({ pool, dir, inTurn, windowEntries = WINDOW_ENTRIES }: Parts) => {
  const archives = createArchiveReads(pool);

  /** The archive with the entry after this one; null: the entry is in the database. */
  const archiveAfter = async (marketplaceId: string, after: bigint): Promise<[Archive, string | undefined] | null> => {
    const kept = keptArchives(await archives.list(marketplaceId));
    const at = kept.findIndex(({ firstSeq, lastSeq }) => firstSeq <= after + 1n && after < lastSeq);
    return at < 0 ? null : [kept[at]!, kept[at - 1]?.endsAt];
  };

  /** Every window of the chain that can have transfers of the range. */
  async function* windows({ marketplaceId, from, to }: JournalRange): AsyncGenerator<Transfer[]> {
    const ask = <Data>(read: () => Promise<Data>): Promise<Data> => inTurn(marketplaceId, read);
    const bounds = await ask(() => entriesInTime(pool, { marketplaceId, from, to }));
    let { after } = bounds;
    for (;;) {
      const archived = await ask(() => archiveAfter(marketplaceId, after));
      if (archived) {
        const [archive, beginsAt] = archived;
        if (!beginsBefore(to, beginsAt)) return;
        if (from === null || archive.endsAt > from)
          yield* archivedWindows({ dir, marketplaceId, archive, windowEntries });
        after = archive.lastSeq;
        continue;
      }
      if (after >= bounds.last) return;
      const last = least(after + windowEntries, bounds.last);
      const rows = await ask(() => readWindow(pool, { marketplaceId, after, last }));
      const base = await ask(() => archives.chainBase(marketplaceId));
      // Rows that left the database during the read are in an archive now.
      if (base.seq > after) continue;
      yield rows;
      after = last;
    }
  }

  return {
    /** The transfers of the range, in lists of any length. */
    async *read(range: JournalRange): AsyncGenerator<Transfer[]> {
      const { from, to } = range;
      for await (const transfers of windows(range)) {
        yield transfers.filter(({ postedAt }) => (from === null || postedAt >= from) && postedAt < to);
      }
    },
  };
};

export type Journal = ReturnType<typeof createJournal>;
