// Removes the rows of a verified archive from the hot tables, chunk by chunk, and puts them back in the opposite order. Each chunk is one
// short transaction. Both continue after an interruption: a chunk that was moved before is skipped.

import { type AccountEnd, type AccountStart, ARCHIVED_TABLES, type ArchivedRows } from '../../commit/archived-rows.ts';
import type { Manifest } from './manifest.ts';
import type { ArchiveReads } from './queries.ts';
import { parseRow, readSlice } from './slices.ts';
import type { ArchivedPosting } from './verify-archive.ts';

export type Moving = {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly rows: ArchivedRows;
  readonly reads: ArchiveReads;
  /** Called after each chunk. */
  onChunk(): void;
};

/** Rows of one transaction: it holds their locks for some tens of milliseconds. */
const CHUNK = 2_000;

const OTHER_TABLES = ARCHIVED_TABLES.filter((table) => table !== 'postings' && table !== 'audit_entries');

const chunksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, at) => items.slice(at * CHUNK, (at + 1) * CHUNK));

const slicesOf = ({ manifest }: Moving, table: string) => manifest.files.filter((slice) => slice.table === table);

const endsOf = (postings: readonly ArchivedPosting[]): AccountEnd[] =>
  [...Map.groupBy(postings, (row) => row.account_id)].map(([accountId, rows]) => {
    const last = rows.at(-1)!;
    return { accountId, last: last.seq, balance: last.balance_after };
  });

const removePostings = async (moving: Moving): Promise<void> => {
  const { folder, manifest, rows, reads } = moving;
  for (const slice of slicesOf(moving, 'postings')) {
    for (const lines of chunksOf(await readSlice(folder, slice))) {
      const ends = endsOf(lines.map((line) => parseRow<ArchivedPosting>(line)));
      const bases = await reads.accountBases(
        manifest.marketplaceId,
        ends.map(({ accountId }) => accountId),
      );
      const left = ends.filter(({ accountId, last }) => (bases.get(accountId) ?? 0n) < last);
      if (left.length > 0) await rows.removePostings(left);
      moving.onChunk();
    }
  }
};

type Entry = { readonly seq: bigint; readonly hash: string };

const removeEntries = async (moving: Moving): Promise<void> => {
  const { folder, manifest, rows, reads } = moving;
  for (const slice of slicesOf(moving, 'audit_entries')) {
    for (const lines of chunksOf(await readSlice(folder, slice))) {
      const { seq: last, hash } = parseRow<Entry>(lines.at(-1)!);
      const { seq: after } = await reads.chainBase(manifest.marketplaceId);
      if (after < last) await rows.removeEntries({ after, last, hash });
      moving.onChunk();
    }
  }
};

/** Only the two fields are read, so a number of another field may lose digits. */
const idAndVersion = (line: string): { id: string; version: bigint } => {
  const { id, version } = JSON.parse(line) as { id: string; version: number };
  return { id, version: BigInt(version) };
};

const removeOthers = async (moving: Moving): Promise<void> => {
  const { folder, rows } = moving;
  for (const table of OTHER_TABLES) {
    for (const slice of slicesOf(moving, table)) {
      for (const lines of chunksOf(await readSlice(folder, slice))) {
        if (table === 'events') {
          await rows.removeEvents(lines.map((line) => parseRow<{ position: bigint }>(line).position));
        } else await rows.removeRows(table, lines.map(idAndVersion));
        moving.onChunk();
      }
    }
  }
};

export const removeRows = async (moving: Moving): Promise<void> => {
  await removePostings(moving);
  await removeEntries(moving);
  await removeOthers(moving);
};

type Line = { readonly line: string; readonly row: ArchivedPosting };

const startsOf = (lines: readonly Line[]): AccountStart[] =>
  [...Map.groupBy(lines, ({ row }) => row.account_id)].map(([accountId, [first]]) => {
    const { seq, amount, balance_after } = first!.row;
    return { accountId, before: seq - 1n, balance: balance_after - amount };
  });

const restorePostings = async (moving: Moving): Promise<void> => {
  const { folder, manifest, rows, reads } = moving;
  for (const slice of slicesOf(moving, 'postings').toReversed()) {
    for (const texts of chunksOf(await readSlice(folder, slice)).toReversed()) {
      const lines = texts.map((line) => ({ line, row: parseRow<ArchivedPosting>(line) }));
      const ids = [...new Set(lines.map(({ row }) => row.account_id))];
      const bases = await reads.accountBases(manifest.marketplaceId, ids);
      // A posting is archived as long as the base of its account is not before it.
      const left = lines.filter(({ row }) => row.seq <= (bases.get(row.account_id) ?? 0n));
      if (left.length > 0)
        await rows.restorePostings(
          left.map(({ line }) => line),
          startsOf(left),
        );
      moving.onChunk();
    }
  }
};

const restoreEntries = async (moving: Moving): Promise<void> => {
  const { folder, manifest, rows, reads } = moving;
  const slices = slicesOf(moving, 'audit_entries');
  for (const [at, slice] of [...slices.entries()].toReversed()) {
    const before = at === 0 ? null : (await readSlice(folder, slices[at - 1]!)).at(-1)!;
    const hashBefore = before === null ? manifest.audit.hashBefore : parseRow<Entry>(before).hash;
    const chunks = chunksOf(await readSlice(folder, slice));
    for (const [place, lines] of [...chunks.entries()].toReversed()) {
      const after = parseRow<Entry>(lines[0]!).seq - 1n;
      const { seq: last } = await reads.chainBase(manifest.marketplaceId);
      const hash = place === 0 ? hashBefore : parseRow<Entry>(chunks[place - 1]!.at(-1)!).hash;
      if (last > after) await rows.restoreEntries(lines, { after, last, hash });
      moving.onChunk();
    }
  }
};

/** Removed rows return; a row that is there already stays as it is. */
export const restoreRows = async (moving: Moving): Promise<void> => {
  const { folder, rows } = moving;
  for (const table of OTHER_TABLES) {
    for (const slice of slicesOf(moving, table)) {
      for (const lines of chunksOf(await readSlice(folder, slice))) {
        await rows.restoreRows(table, lines);
        moving.onChunk();
      }
    }
  }
  await restoreEntries(moving);
  await restorePostings(moving);
};
