// Verifies all archives of a marketplace together: each one from its files, the hash of each manifest in the database and in the next
// manifest, and that the archives end exactly where the hot rows begin. With the proof of the hot rows this is the full proof.

import type pg from 'pg';
import type { ProofCheck } from '../../books/proof-checks.ts';
import type { Archive } from './archive.ts';
import { folderOf, readManifest } from './manifest.ts';
import { createArchiveReads } from './queries.ts';
import { BrokenArchive } from './slices.ts';
import { verifyArchive } from './verify-archive.ts';

type Verified = { readonly archive: Archive; readonly problem: string | null };

type Options = {
  readonly pool: pg.Pool;
  readonly dir: string;
  readonly marketplaceId: string;
  onArchive?(verified: Verified): void;
};

type Places = Map<string, { seq: bigint; balance: bigint }>;

const followsOn = (archive: Archive, before: Archive | undefined): boolean =>
  archive.previousManifest === (before?.manifestHash ?? null) &&
  archive.firstSeq === (before?.lastSeq ?? 0n) + 1n &&
  archive.hashBefore === (before?.hashAfter ?? '');

const problemOf = async (work: Promise<void>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => {
      if (error instanceof BrokenArchive) return error.message;
      throw error;
    },
  );

/** The sentence of what does not hold between the archives and the hot tables; null when everything holds. */
const compareWithHotRows = async (
  { pool, marketplaceId }: Options,
  { places, last }: { places: Places; last: Archive },
) => {
  const reads = createArchiveReads(pool);
  const base = await reads.chainBase(marketplaceId);
  if (base.seq !== last.lastSeq || base.hash !== last.hashAfter) {
    return `The hot audit chain begins after entry ${base.seq}; the archives end with entry ${last.lastSeq}.`;
  }
  const differing = await reads.differingAccounts(marketplaceId, places);
  return differing === 0 ? null : `${differing} accounts end elsewhere in the archives than the database says.`;
};

type Report = { readonly holds: boolean; readonly verified: readonly Verified[]; readonly border: string | null };

const verifyOnce = async (options: Options, archives: readonly Archive[]): Promise<Report> => {
  const { dir, marketplaceId, onArchive = () => {} } = options;
  const verified: Verified[] = [];
  const places: Places = new Map();
  for (const [at, archive] of archives.entries()) {
    const folder = folderOf(dir, { marketplaceId, id: archive.id });
    const verify = async (): Promise<void> => {
      const manifest = await readManifest(folder, archive.manifestHash);
      if (!followsOn(archive, archives[at - 1]))
        throw new BrokenArchive(`${archive.id} does not follow the archive before it.`);
      await verifyArchive({ folder, manifest, places });
    };
    verified.push({ archive, problem: await problemOf(verify()) });
    onArchive(verified.at(-1)!);
  }
  const last = archives.at(-1);
  const areRead = verified.every(({ problem }) => problem === null);
  const border = areRead && last?.state === 'REMOVED' ? await compareWithHotRows(options, { places, last }) : null;
  return { holds: areRead && border === null, verified, border };
};

/** How often a verification begins again because an archive was made or restored in between. */
const ATTEMPTS = 3;

/** Archives that are sealed or removed, oldest first. One that is moved right now is verified by its files only. */
export const verifyArchives = async (options: Options): Promise<Report> => {
  const read = async (): Promise<Archive[]> =>
    (await createArchiveReads(options.pool).list(options.marketplaceId)).filter(({ state }) => state !== 'RESTORED');
  const changes = (archives: readonly Archive[]): string => archives.map(({ id, updatedAt }) => id + updatedAt).join();
  for (let attempt = 1; ; attempt++) {
    const archives = await read();
    const report = await verifyOnce(options, archives);
    if (report.holds || attempt === ATTEMPTS || changes(await read()) === changes(archives)) return report;
  }
};

/** The archives as one check of a full proof. */
export const checkArchives = async (options: Options): Promise<ProofCheck> => {
  const { holds, verified, border } = await verifyArchives(options);
  const problems = verified.flatMap(({ archive, problem }) => (problem === null ? [] : [`${archive.id}: ${problem}`]));
  return {
    name: 'archives-hold',
    holds,
    detail: holds
      ? `${verified.length} archives hold and end where the rows of the database begin.`
      : `${[...problems, ...(border === null ? [] : [border])].join(' ')} Put the archive back from your backup.`,
  };
};
