// Folders of temporary PostgreSQLs, and the removal of those whose owner was killed. The owner holds the lock of a folder as long as the
// folder has its name: it locks the folder first and names it then, and it removes the folder before it releases the lock. So a folder of
// this name without a locked lock has no living owner, and no folder that is being created can be taken for one.

import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { clusterFolder } from './cluster.ts';
import { lockFolder } from './folder-lock.ts';
import { stopOrphan } from './postmaster.ts';

const UNNAMED = 'holdfast-unnamed-';
const NAMED = 'holdfast-postgres-';
/** The data folder of PostgreSQL, which has a lock of its own. A folder without it is not one of these. */
const DATA = 'data';

type Lock = ReturnType<typeof lockFolder>;

/** A lock that nothing refers to would be released by the garbage collector. */
const held = new Set<Lock>();

// A process that was killed while it created files may write for another moment, and another process may remove the same folder.
const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });

const removeLocked = async (folder: string, lock: Lock): Promise<void> => {
  await remove(folder).finally(() => lock.release());
};

export const createTemporaryFolder = async (): Promise<{ dataDir: string; remove(): Promise<void> }> => {
  const unnamed = await mkdtemp(path.join(await realpath(os.tmpdir()), UNNAMED));
  const folder = path.join(path.dirname(unnamed), path.basename(unnamed).replace(UNNAMED, NAMED));
  await mkdir(path.join(unnamed, DATA));
  for (const each of [unnamed, path.join(unnamed, DATA)]) await chmod(each, 0o711);
  const lock = lockFolder(unnamed);
  held.add(lock);
  await rename(unnamed, folder);
  return {
    dataDir: path.join(folder, DATA),
    remove: () => removeLocked(folder, lock).finally(() => held.delete(lock)),
  };
};

/** Null: a living process holds it, another process is removing it, or it is not ours. */
const lockOrphan = async (folder: string): Promise<Lock | null> => {
  try {
    const found = await lstat(folder);
    // In a folder of another user a link could lead to any file.
    if (!found.isDirectory() || found.uid !== process.getuid!()) return null;
    await lstat(path.join(folder, DATA));
    return lockFolder(folder);
  } catch {
    return null;
  }
};

/** Stops and removes what killed processes have left in this folder. A failure is left to the next call: it must not stop the work of the caller. */
export const removeOrphans = async (temporary = os.tmpdir()): Promise<void> => {
  const parent = await realpath(temporary).catch(() => null);
  if (parent === null) return;
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(NAMED))) {
    const folder = path.join(parent, name);
    const lock = await lockOrphan(folder);
    if (lock === null) continue;
    try {
      await stopOrphan(clusterFolder(path.join(folder, DATA)), () => {});
      await remove(folder);
    } catch {
      // Another process removes it, or a part of it is still in use.
    } finally {
      lock.release();
    }
  }
};
