// The archives of a marketplace for its proofs: what the files say now, or what the last verification found. One verification runs at a
// time in a process, in a thread of its own; the others wait, and give up when their callers leave.

import type pg from 'pg';
import { createGate } from '../../base/concurrency.ts';
import { keptArchives } from './account-postings.ts';
import type { Archive } from './archive.ts';
import { type LastCheck, type LastChecks, readLastChecks } from './last-check.ts';
import { relativeFolderOf } from './manifest.ts';
import { createArchiveReads } from './queries.ts';
import { type ArchivesReport, checksOf, verifyAndKeep } from './verify-archives.ts';

export type CheckedArchive = Pick<Archive, 'id' | 'state' | 'firstSeq' | 'lastSeq' | 'manifestHash'> & {
  /** Within ARCHIVE_DIR. */
  readonly folder: string;
  /** Null: it was not verified yet. */
  readonly lastCheck: LastCheck | null;
};

type Asked = { readonly pool: pg.Pool; readonly marketplaceId: string; readonly left?: AbortSignal | undefined };

/** A month that was restored and archived again has other files. */
const checkOf = ({ id, manifestHash }: Archive, checks: LastChecks): LastCheck | null =>
  checks[id]?.manifestHash === manifestHash ? checks[id] : null;

export const createArchiveVerifier = (dir: string) => {
  const gate = createGate({ atOnce: 1 });
  // A folder that is gone or read-only keeps no results, and its missing files must be reported all the same.
  const found = new Map<string, LastChecks>();

  const newer = (one: LastChecks, other: LastChecks): LastChecks => ({
    ...one,
    ...Object.fromEntries(
      Object.entries(other).filter(([id, { checkedAt }]) => (one[id]?.checkedAt ?? '') <= checkedAt),
    ),
  });

  const list = async ({ pool, marketplaceId }: Asked): Promise<CheckedArchive[]> => {
    const archives = keptArchives(await createArchiveReads(pool).list(marketplaceId));
    if (archives.length === 0) return [];
    const checks = newer(await readLastChecks({ dir, marketplaceId }), found.get(marketplaceId) ?? {});
    return archives.map((archive) => ({
      ...archive,
      folder: relativeFolderOf({ marketplaceId, id: archive.id }),
      lastCheck: checkOf(archive, checks),
    }));
  };

  return {
    /** As the last verification found them, oldest first. Reads no archive. */
    list,
    /** Reads every file, and compares the archives with the database. */
    verify: (asked: Asked): Promise<ArchivesReport> =>
      gate(async () => {
        const report = await verifyAndKeep({ ...asked, dir });
        if (report.verified.length > 0) found.set(asked.marketplaceId, checksOf(report));
        return report;
      }, asked.left),
  };
};

export type ArchiveVerifier = ReturnType<typeof createArchiveVerifier>;
