// Reads the archived postings of one account in a range of time, from the files of the archives that overlap it. When a file is not there
// or was altered, the caller gets the refusal ARCHIVED with the name of the archive. It only reads.

import type pg from 'pg';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import type { Archive } from './archive.ts';
import { folderOf, readManifest } from './manifest.ts';
import { createArchiveReads } from './queries.ts';
import { BrokenArchive, parseRow, readSlice } from './slices.ts';
import type { ArchivedPosting } from './verify-archive.ts';

type AccountRange = {
  readonly marketplaceId: string;
  readonly accountId: string;
  readonly from: string;
  readonly to: string;
  /** Postings up to this number are counted and not returned. */
  readonly after: bigint;
  readonly limit: number;
};

/** The number of postings before a time, and the balance there. */
export type Bound = { readonly seq: bigint; readonly balance: bigint };

export type ArchivedRange = {
  /** Null: the range begins after the archived postings of the account. */
  readonly opening: Bound | null;
  /** The last archived posting of the range. */
  readonly closing: Bound | null;
  readonly postings: readonly ArchivedLine[];
};

export type ArchivedLine = ArchivedPosting & {
  readonly counter_account_id: string;
  readonly move: string;
  readonly reference: string | null;
  readonly description: string | null;
};

/** Archives whose rows are in files, oldest first. */
export const keptArchives = (archives: readonly Archive[]): Archive[] =>
  archives.filter(({ state }) => state !== 'RESTORED');

/** Those with rows of the range. An archive begins where the one before it ends. */
export const archivesIn = (archives: readonly Archive[], { from, to }: { from: string; to: string }): Archive[] =>
  archives.filter((archive, at) => archive.endsAt > from && (archives[at - 1]?.endsAt ?? '') < to);

export const archivedError = (archives: readonly Archive[]): DomainError => {
  const ids = archives.map(({ id }) => id);
  return new DomainError('ARCHIVED', {
    message: `These rows are in the archive ${ids.join(', ')}, which this server cannot read. Put its folder back into ARCHIVE_DIR, or run \`holdfast archive restore\`.`,
    details: { archives: ids },
  });
};

const linesOf = async (dir: string, { archive, range }: { archive: Archive; range: AccountRange }) => {
  const { marketplaceId, accountId } = range;
  const folder = folderOf(dir, { marketplaceId, id: archive.id });
  const { files } = await readManifest(folder, archive.manifestHash);
  const holding = files.filter(
    ({ table, firstAccount, lastAccount }) =>
      table === 'postings' && firstAccount! <= accountId && accountId <= lastAccount!,
  );
  const found: ArchivedLine[] = [];
  // The id as JSON is in every line of the account, and few other lines are parsed in vain.
  const mark = JSON.stringify(accountId);
  for (const slice of holding) {
    for (const line of await readSlice(folder, slice)) {
      if (!line.includes(mark)) continue;
      const row = parseRow<ArchivedLine>(line);
      if (row.account_id === accountId) found.push({ ...row, posted_at: formatInstant(parseInstant(row.posted_at)!) });
    }
  }
  return found;
};

const boundBefore = ({ seq, amount, balance_after }: ArchivedLine): Bound => ({
  seq: seq - 1n,
  balance: balance_after - amount,
});
const boundAfter = ({ seq, balance_after }: ArchivedLine): Bound => ({ seq, balance: balance_after });

export const createArchivedPostings = ({ pool, dir }: { pool: pg.Pool; dir: string }) => {
  const reads = createArchiveReads(pool);

  const read = async (range: AccountRange, archives: readonly Archive[]): Promise<ArchivedRange> => {
    let opening: Bound | null = null;
    let closing: Bound | null = null;
    const postings: ArchivedLine[] = [];
    for (const archive of archives) {
      const lines = await linesOf(dir, { archive, range }).catch((error: unknown) => {
        throw error instanceof BrokenArchive ? archivedError([archive]) : error;
      });
      for (const line of lines) {
        if (line.posted_at >= range.to) {
          const start = opening ?? boundBefore(line);
          return { opening: start, closing: closing ?? start, postings };
        }
        const isBefore = line.posted_at < range.from;
        if (isBefore) opening = boundAfter(line);
        else opening ??= boundBefore(line);
        closing = boundAfter(line);
        if (!isBefore && line.seq > range.after && postings.length < range.limit) postings.push(line);
      }
    }
    return { opening, closing, postings };
  };

  return {
    /** The archived part of the range. The account's first posting after it tells the opening balance, so later archives are read too. */
    async read(range: AccountRange): Promise<ArchivedRange> {
      const kept = keptArchives(await reads.list(range.marketplaceId));
      return read(
        range,
        kept.filter(({ endsAt }) => endsAt > range.from),
      );
    },
  };
};

export type ArchivedPostings = ReturnType<typeof createArchivedPostings>;
