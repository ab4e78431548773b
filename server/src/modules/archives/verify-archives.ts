// Verifies all archives of a marketplace together: each one from its files, the hash of each manifest in the database and in the next
// manifest, and that the archives end exactly where the hot rows begin. With the proof of the hot rows this is the full proof.

import type pg from 'pg';
import { formatInstant, systemClock } from '../../base/instant.ts';
import type { ProofCheck } from '../../books/proof-checks.ts';
import { addEnds, areEqual, type EndsSum, NO_ENDS, newKey } from './account-ends.ts';
import { keptArchives } from './account-postings.ts';
import type { Archive } from './archive.ts';
import { keepLastChecks, type LastChecks } from './last-check.ts';
import { folderOf } from './manifest.ts';
import { createArchiveReads } from './queries.ts';
import { type FolderResult, verifyFolders } from './verify-folders.ts';

type Verified = { readonly archive: Archive; readonly problem: string | null; readonly file: string | null };

type Options = {
  readonly pool: pg.Pool;
  readonly dir: string;
  readonly marketplaceId: string;
  /** Aborted when the caller has left. */
  readonly left?: AbortSignal | undefined;
  onArchive?(verified: Verified): void;
};

const followsOn = (archive: Archive, before: Archive | undefined): boolean =>
  archive.previousManifest === (before?.manifestHash ?? null) &&
  archive.firstSeq === (before?.lastSeq ?? 0n) + 1n &&
  archive.hashBefore === (before?.hashAfter ?? '');

type Ends = { readonly key: string; readonly sum: EndsSum };

/** The sentence of what does not hold between the archives and the hot tables; null when everything holds. */
const compareWithHotRows = async ({ pool, marketplaceId }: Options, { ends, last }: { ends: Ends; last: Archive }) => {
  const reads = createArchiveReads(pool);
  const base = await reads.chainBase(marketplaceId);
  if (base.seq !== last.lastSeq || base.hash !== last.hashAfter) {
    return `The hot audit chain begins after entry ${base.seq}; the archives end with entry ${last.lastSeq}.`;
  }
  return areEqual(ends.sum, await reads.accountEnds(marketplaceId, ends.key))
    ? null
    : 'Accounts end elsewhere in the archives than the database says: a number of postings or a balance differs.';
};

export type ArchivesReport = {
  readonly holds: boolean;
  readonly checkedAt: string;
  readonly verified: readonly Verified[];
  /** What does not hold between the archives and the rows of the database. */
  readonly border: string | null;
};

const verifyOnce = async (options: Options, archives: readonly Archive[]): Promise<ArchivesReport> => {
  const { dir, marketplaceId, left, onArchive = () => {} } = options;
  const checkedAt = formatInstant(systemClock());
  const verified: Verified[] = [];
  const key = newKey();
  let sum = NO_ENDS;
  const onResult = ({ problem, file, ends }: FolderResult): void => {
    const archive = archives[verified.length]!;
    const follows = followsOn(archive, archives[verified.length - 1]);
    verified.push({
      archive,
      problem: problem ?? (follows ? null : `${archive.id} does not follow the archive before it.`),
      file,
    });
    sum = addEnds(sum, ends ?? NO_ENDS);
    onArchive(verified.at(-1)!);
  };
  const folders = archives.map(({ id, manifestHash }) => ({
    folder: folderOf(dir, { marketplaceId, id }),
    manifestHash,
  }));
  await verifyFolders({ folders, key, left, onResult });
  const last = archives.at(-1);
  const areRead = verified.every(({ problem }) => problem === null);
  const border =
    areRead && last?.state === 'REMOVED' ? await compareWithHotRows(options, { ends: { key, sum }, last }) : null;
  return { holds: areRead && border === null, checkedAt, verified, border };
};

/** How often a verification begins again because an archive was made or restored in between. */
const ATTEMPTS = 3;

/** Archives that are sealed or removed, oldest first. One that is moved right now is verified by its files only. */
export const verifyArchives = async (options: Options): Promise<ArchivesReport> => {
  const read = async (): Promise<Archive[]> =>
    keptArchives(await createArchiveReads(options.pool).list(options.marketplaceId));
  const changes = (archives: readonly Archive[]): string => archives.map(({ id, updatedAt }) => id + updatedAt).join();
  for (let attempt = 1; ; attempt++) {
    const archives = await read();
    const report = await verifyOnce(options, archives);
    if (report.holds || attempt === ATTEMPTS || changes(await read()) === changes(archives)) return report;
  }
};

/** What was found of each archive. What does not hold at the border is a problem of the last one. */
export const checksOf = ({ checkedAt, verified, border }: ArchivesReport): LastChecks => {
  const last = verified.at(-1);
  return Object.fromEntries(
    verified.map((one) => {
      const { manifestHash, id } = one.archive;
      const problem = one.problem ?? (one === last ? border : null);
      return [id, { checkedAt, holds: problem === null, file: one.file, problem, manifestHash }];
    }),
  );
};

/** Verifies, and keeps what was found beside the archives. */
export const verifyAndKeep = async (options: Options): Promise<ArchivesReport> => {
  const report = await verifyArchives(options);
  if (report.verified.length > 0) await keepLastChecks(options, checksOf(report));
  return report;
};

/** The archives as one check of a full proof. */
export const archivesCheck = ({ holds, verified, border }: ArchivesReport): ProofCheck => {
  const problems = verified.flatMap(({ archive, problem }) => (problem === null ? [] : [`${archive.id}: ${problem}`]));
  return {
    name: 'archives-hold',
    holds,
    detail: holds
      ? `${verified.length} archives hold and end where the rows of the database begin.`
      : `${[...problems, ...(border === null ? [] : [border])].join(' ')} Put the archive back from your backup.`,
  };
};

export const checkArchives = async (options: Options): Promise<ProofCheck> =>
  archivesCheck(await verifyArchives(options));
