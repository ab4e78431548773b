// Verifies all archives of a marketplace together: each one from its files, the hash of each manifest in the database and in the next
// manifest, and that the archives end exactly where the hot rows begin. With the proof of the hot rows this is the full proof.

import type pg from 'pg';
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

const DIFFERING = `select count(*)::text as differing from
    (select account_id, postings, balance from archived_accounts where marketplace_id = $1 and postings > 0) a
    full join unnest($2::text[], $3::bigint[], $4::bigint[]) f (account_id, postings, balance) using (account_id)
  where a.postings is distinct from f.postings or a.balance is distinct from f.balance`;

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
  const base = await createArchiveReads(pool).chainBase(marketplaceId);
  if (base.seq !== last.lastSeq || base.hash !== last.hashAfter) {
    return `The hot audit chain begins after entry ${base.seq}; the archives end with entry ${last.lastSeq}.`;
  }
  const ends = [...places.values()];
  const values = [[...places.keys()], ends.map(({ seq }) => seq), ends.map(({ balance }) => balance)];
  const { rows } = await pool.query<{ differing: string }>(DIFFERING, [marketplaceId, ...values]);
  const differing = rows[0]!.differing;
  return differing === '0' ? null : `${differing} accounts end elsewhere in the archives than the database says.`;
};

/** Archives that are sealed or removed, oldest first. One that is moved right now is verified by its files only. */
export const verifyArchives = async (
  options: Options,
): Promise<{ holds: boolean; verified: Verified[]; border: string | null }> => {
  const { pool, dir, marketplaceId, onArchive = () => {} } = options;
  const archives = (await createArchiveReads(pool).list(marketplaceId)).filter(({ state }) => state !== 'RESTORED');
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
