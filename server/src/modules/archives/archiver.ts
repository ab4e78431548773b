// Makes and restores archives, one at a time for a database. The order is always the same: files, verification, the command that seals,
// the removal, the command that ends it. After an interruption the next run continues; until the seal nothing has left the database.

import type pg from 'pg';
import { createArchivedRows } from '../../commit/archived-rows.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { Archive } from './archive.ts';
import { beginRestoration, finishRemoval, finishRestoration, sealArchive } from './change-archive.ts';
import { findLastSeq } from './export-rows.ts';
import { folderOf, type Manifest, readManifest } from './manifest.ts';
import { type Moving, removeRows, restoreRows } from './move-rows.ts';
import type { Period } from './periods.ts';
import { type ArchiveReads, createArchiveReads } from './queries.ts';
import { verifyArchive } from './verify-archive.ts';
import { type Draft, writeFiles } from './write-files.ts';

/** The steps that a killed process may have reached, in this order. */
export type ArchiveStep = 'exported' | 'renamed' | 'sealed' | 'removing' | 'removed' | 'restoring' | 'restored';

type Options = {
  readonly pool: pg.Pool;
  readonly submit: Submit;
  /** The folder of all archives. */
  readonly dir: string;
  readonly version: string;
  onStep?(step: ArchiveStep): void;
};

type ArchivePlace = { readonly marketplaceId: string; readonly archive: Archive };

const LOCK = 5_712_001;

const contextOf = (marketplaceId: string) => ({
  marketplaceId,
  actor: { type: 'system', id: 'archive' } as const,
  requestId: 'archive',
});

/** One archiver at a time. The lock ends with the connection, so a killed process leaves none. */
const withLock = async <Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK]);
    if (!rows[0]!.mine) throw new Error('Another process archives or restores right now. Wait until it has ended.');
    return await work();
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    client.release();
  }
};

const refuseWhileRestoring = (archives: readonly Archive[]): void => {
  const restoring = archives.find(({ state }) => state === 'RESTORING');
  if (restoring) throw new Error(`The archive ${restoring.id} is being restored. Run the restore again first.`);
};

/** A proof begins at the newest checkpoint, so the rows after it must stay. */
const refuseWithoutCheckpoint = async (
  reads: ArchiveReads,
  of: { marketplaceId: string; last: bigint },
): Promise<void> => {
  const checkpoint = await reads.checkpointSeq(of.marketplaceId);
  if (checkpoint === null || checkpoint >= of.last) return;
  throw new Error(`The newest proof is older than the period. Prove the books of ${of.marketplaceId} first.`);
};

/** What the command records of the files. */
const recordOf = ({ scope, period, previous }: Draft, { manifest, hash }: { manifest: Manifest; hash: string }) => ({
  id: period.id,
  endsAt: period.endsAt,
  firstSeq: scope.after + 1n,
  lastSeq: scope.last,
  hashBefore: manifest.audit.hashBefore,
  hashAfter: manifest.audit.hashAfter,
  manifestHash: hash,
  previousManifest: manifest.previous,
  previousId: previous?.id ?? null,
});

export const createArchiver = ({ pool, submit, dir, version, onStep = () => {} }: Options) => {
  const reads = createArchiveReads(pool);

  const movingOf = async ({ marketplaceId, archive }: ArchivePlace, step: ArchiveStep): Promise<Moving> => {
    const folder = folderOf(dir, { marketplaceId, id: archive.id });
    const manifest = await readManifest(folder, archive.manifestHash);
    await verifyArchive({ folder, manifest });
    const rows = createArchivedRows(pool, marketplaceId);
    return { folder, manifest, rows, reads, onChunk: () => onStep(step) };
  };

  const finish = async (place: ArchivePlace): Promise<Archive> => {
    const { marketplaceId, archive } = place;
    await removeRows(await movingOf(place, 'removing'));
    const removed = await runCommand(submit, {
      command: finishRemoval,
      input: archive,
      context: contextOf(marketplaceId),
    });
    onStep('removed');
    return removed;
  };

  const seal = async (draft: Draft): Promise<Archive> => {
    const archive = await runCommand(submit, {
      command: sealArchive,
      input: recordOf(draft, await writeFiles({ pool, dir, version, onStep }, draft)),
      context: contextOf(draft.scope.marketplaceId),
    });
    onStep('sealed');
    return archive;
  };

  const create = async (marketplaceId: string, period: Period): Promise<Archive | null> => {
    const archives = await reads.list(marketplaceId);
    refuseWhileRestoring(archives);
    const sealed = archives.find(({ state }) => state === 'SEALED');
    if (sealed) await finish({ marketplaceId, archive: sealed });
    if (sealed?.id === period.id) return { ...sealed, state: 'REMOVED' };
    const previous = sealed ?? archives.findLast(({ state }) => state === 'REMOVED');
    const { seq: after } = await reads.chainBase(marketplaceId);
    const { endsAt } = period;
    const last = await findLastSeq(pool, { marketplaceId, after, endsAt });
    if (last <= after) return null;
    await refuseWithoutCheckpoint(reads, { marketplaceId, last });
    const archive = await seal({ scope: { marketplaceId, endsAt, after, last }, period, previous });
    return finish({ marketplaceId, archive });
  };

  const restore = async (marketplaceId: string): Promise<Archive | null> => {
    const archives = await reads.list(marketplaceId);
    const sealed = archives.find(({ state }) => state === 'SEALED');
    if (sealed)
      throw new Error(`The rows of ${sealed.id} are still being removed. Run \`holdfast archive create\` first.`);
    const archive = archives.findLast(({ state }) => state === 'REMOVED' || state === 'RESTORING');
    if (!archive) return null;
    const moving = await movingOf({ marketplaceId, archive }, 'restoring');
    const context = contextOf(marketplaceId);
    if (archive.state === 'REMOVED') await runCommand(submit, { command: beginRestoration, input: archive, context });
    onStep('restoring');
    await restoreRows(moving);
    const restored = await runCommand(submit, { command: finishRestoration, input: archive, context });
    onStep('restored');
    return restored;
  };

  return {
    reads,
    /** Continues a removal that was interrupted, then archives the period. Null: the period has no rows. */
    create: (marketplaceId: string, period: Period): Promise<Archive | null> =>
      withLock(pool, () => create(marketplaceId, period)),
    /** Puts the newest archive back into the hot tables. Null: there is none. */
    restore: (marketplaceId: string): Promise<Archive | null> => withLock(pool, () => restore(marketplaceId)),
  };
};
