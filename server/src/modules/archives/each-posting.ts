// Reads the archived postings of some accounts from the files that have them, line by line. A file that is not there or was altered is a
// BrokenArchive. It only reads.

import type { Archive } from './archive.ts';
import { folderOf, readManifest } from './manifest.ts';
import { eachLine, parseRow, type Slice } from './slices.ts';
import type { ArchivedPosting } from './verify-archive.ts';

type Wanted = {
  /** The folder of all archives. */
  readonly dir: string;
  readonly marketplaceId: string;
  readonly archives: readonly Archive[];
  /** By account, the number of its postings that have left the database. Later ones may be in a file and in the database. */
  readonly accounts: ReadonlyMap<string, bigint>;
};

type PostingLine = ArchivedPosting & { readonly move: string };

const holdsOneOf = ({ table, firstAccount, lastAccount }: Slice, accounts: readonly string[]): boolean =>
  table === 'postings' && accounts.some((id) => firstAccount! <= id && id <= lastAccount!);

export const eachArchivedPosting = async (wanted: Wanted, take: (posting: PostingLine) => void): Promise<void> => {
  const { dir, marketplaceId, archives, accounts } = wanted;
  const ids = [...accounts.keys()];
  for (const { id, manifestHash } of ids.length === 0 ? [] : archives) {
    const folder = folderOf(dir, { marketplaceId, id });
    const { files } = await readManifest(folder, manifestHash);
    for (const slice of files.filter((file) => holdsOneOf(file, ids))) {
      await eachLine({ folder, slice }, (line) => {
        const row = parseRow<PostingLine>(line);
        if (row.seq <= (accounts.get(row.account_id) ?? 0n)) take(row);
      });
    }
  }
};
