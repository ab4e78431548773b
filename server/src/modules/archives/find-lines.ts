// Finds rows of archives by the ids in them. Postings are found by the accounts of each file; every file of another table is read. So a
// search costs as much as the archived months are large, and a caller bounds how many run at once. It only reads.

import { setImmediate } from 'node:timers/promises';
import type { ArchivedTable } from '../../commit/archived-rows.ts';
import type { Archive } from './archive.ts';
import { folderOf, readManifest } from './manifest.ts';
import { BrokenArchive, readSlice, type Slice } from './slices.ts';

export type ArchiveSearch = {
  readonly dir: string;
  readonly marketplaceId: string;
  /** Oldest first. */
  readonly archives: readonly Archive[];
  /** Gets the archives whose files are not there or were altered. */
  readonly unread: Set<string>;
};

type Wanted = {
  readonly table: ArchivedTable;
  /** A row is found when its line contains one of these texts. */
  readonly marks: readonly string[];
  /** Of postings: their accounts. */
  readonly accounts?: readonly string[];
};

const mayHold = ({ firstAccount, lastAccount }: Slice, accounts: readonly string[] | undefined): boolean =>
  accounts === undefined || accounts.some((id) => firstAccount! <= id && id <= lastAccount!);

const linesOf = async (search: ArchiveSearch, of: { archive: Archive; wanted: Wanted }): Promise<string[]> => {
  const { archive, wanted } = of;
  const folder = folderOf(search.dir, { marketplaceId: search.marketplaceId, id: archive.id });
  const { files } = await readManifest(folder, archive.manifestHash);
  const found: string[] = [];
  for (const slice of files.filter((file) => file.table === wanted.table && mayHold(file, wanted.accounts))) {
    // Other requests take turns with the search.
    await setImmediate();
    for (const line of await readSlice(folder, slice)) {
      if (wanted.marks.some((mark) => line.includes(mark))) found.push(line);
    }
  }
  return found;
};

/** The lines of all archives that can be read, in the order of the files. */
export const findLines = async (search: ArchiveSearch, wanted: Wanted): Promise<string[]> => {
  const found: string[] = [];
  if (wanted.marks.length === 0) return found;
  for (const archive of search.archives) {
    try {
      found.push(...(await linesOf(search, { archive, wanted })));
    } catch (error) {
      if (!(error instanceof BrokenArchive)) throw error;
      search.unread.add(archive.id);
    }
  }
  return found;
};
