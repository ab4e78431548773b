// Writes the files of one archive into a folder of their own, reads them back and verifies them. The folder gets its name only when it is
// complete. The database is only read.

import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Archive } from './archive.ts';
import { exportRows, hashOfEntry, type Scope } from './export-rows.ts';
import { folderOf, formatManifest, type Manifest, manifestFile, readManifest } from './manifest.ts';
import type { Period } from './periods.ts';
import { createArchiveReads } from './queries.ts';
import { syncFolder, writeDurably } from './slices.ts';
import { type ArchivedPosting, createPostingCheck, eachRow, verifyArchive } from './verify-archive.ts';

export type Draft = { readonly scope: Scope; readonly period: Period; readonly previous: Archive | undefined };

type FileOptions = {
  readonly pool: pg.Pool;
  /** The folder of all archives. */
  readonly dir: string;
  readonly version: string;
  onStep(step: 'exported' | 'renamed'): void;
};

const manifestOf = async (
  { pool, version }: FileOptions,
  { scope, period, previous, folder }: Draft & { folder: string },
): Promise<Manifest> => {
  const { marketplaceId, after, last, endsAt } = scope;
  const { hash: hashBefore } = await createArchiveReads(pool).chainBase(marketplaceId);
  const written = await exportRows(pool, { scope, folder });
  const draft: Manifest = {
    format: 1,
    holdfast: version,
    marketplaceId,
    id: period.id,
    endsAt,
    audit: {
      first: String(after + 1n),
      last: String(last),
      hashBefore,
      hashAfter: await hashOfEntry(pool, { marketplaceId, seq: last }),
    },
    ...written,
    sums: [],
    previous: previous?.manifestHash ?? null,
  };
  const check = createPostingCheck({ ...draft, previous: 'unknown' });
  await eachRow<ArchivedPosting>({ folder, manifest: draft, table: 'postings' }, check.take);
  return { ...draft, sums: check.sums() };
};

const TAKEN = ['ENOTEMPTY', 'EEXIST'];

/**
 * A folder of this name was never sealed, or its rows are back in the database, or it belongs to another database with the same
 * ARCHIVE_DIR. Only an operator can tell, so the folder gets another name and nothing is deleted.
 */
const putAside = async (folder: string): Promise<void> => {
  for (let number = 1; ; number++) {
    const code = await rename(folder, `${folder}.replaced-${number}`).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    if (code === null || code === 'ENOENT') return;
    if (!TAKEN.includes(code)) throw new Error(`${folder} is in the way and cannot be renamed: ${code}.`);
  }
};

/** The rows of such an archive may be nowhere else. Another archiver may have sealed it since this one began. */
const refuseSealed = async (pool: pg.Pool, of: { marketplaceId: string; id: string }): Promise<void> => {
  const known = (await createArchiveReads(pool).list(of.marketplaceId)).find(({ id }) => id === of.id);
  if (known && known.state !== 'RESTORED') throw new Error(`The archive ${of.id} exists already. It is not replaced.`);
};

export const writeFiles = async (options: FileOptions, draft: Draft): Promise<{ manifest: Manifest; hash: string }> => {
  const { pool, dir, onStep } = options;
  const of = { marketplaceId: draft.scope.marketplaceId, id: draft.period.id };
  const folder = folderOf(dir, of);
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  const manifest = await manifestOf(options, { ...draft, folder: unfinished });
  const { text, hash } = formatManifest(manifest);
  await writeDurably(manifestFile(unfinished), text);
  await syncFolder(unfinished);
  onStep('exported');
  await verifyArchive({ folder: unfinished, manifest: await readManifest(unfinished, hash) });
  await refuseSealed(pool, of);
  await putAside(folder);
  await rename(unfinished, folder);
  await syncFolder(path.dirname(folder));
  onStep('renamed');
  return { manifest, hash };
};
