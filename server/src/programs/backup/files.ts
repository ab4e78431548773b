// Copies files while PostgreSQL uses them. Files may disappear or grow during the copy; the log of PostgreSQL repairs that after a restore.
// Every copied file is synced to the disk.

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** PostgreSQL creates the content of these folders at every start or for a running process, so only the empty folder is copied. */
const EMPTIED = ['pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp'];
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|\.s\.PGSQL\..*|pgsql_tmp.*)$/;

export const nullIfMissing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/** Returns the size; null when the file no longer existed. */
export const copyDurably = async (from: string, to: string): Promise<number | null> => {
  const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true, nullIfMissing);
  if (copied === null) return null;
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
    return (await file.stat()).size;
  } finally {
    await file.close();
  }
};

export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
};

type Copying = {
  readonly from: string;
  readonly to: string;
  wants?(name: string): boolean;
  /** When aborted, no further file is copied. */
  readonly signal?: AbortSignal | undefined;
};

/** Copies a folder with everything below it. Returns the number of bytes. */
export const copyTree = async ({ from, to, wants = () => true, signal }: Copying): Promise<number> => {
  let bytes = 0;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of (await readdir(from).catch(nullIfMissing)) ?? []) {
    signal?.throwIfAborted();
    if (!wants(name)) continue;
    const source = path.join(from, name);
    const target = path.join(to, name);
    const found = await lstat(source).catch(nullIfMissing);
    if (found?.isSymbolicLink())
      throw new Error(`${source} is a symbolic link: a tablespace cannot be backed up this way.`);
    if (found?.isDirectory()) bytes += await copyTree({ from: source, to: target, wants, signal });
    else if (found?.isFile()) bytes += (await copyDurably(source, target)) ?? 0;
  }
  await syncFolder(to);
  return bytes;
};

/** Copies the cluster without its log, which is complete only when the backup has ended. */
export const copyCluster = async ({ from, to, signal }: Omit<Copying, 'wants'>): Promise<number> => {
  const wants = (name: string): boolean => !LEFT_OUT.test(name) && !EMPTIED.includes(name);
  const bytes = await copyTree({ from, to, wants, signal });
  for (const name of [...EMPTIED, 'pg_wal/archive_status', 'pg_wal/summaries']) {
    await mkdir(path.join(to, name), { recursive: true, mode: 0o700 });
  }
  return bytes;
};

/** Copies the part of the log that makes the copy a consistent database. Returns the number of segments. */
export const copyLog = async (of: { from: string; to: string; first: string; last: string }): Promise<number> => {
  let segments = 0;
  for (const name of (await readdir(of.from)).toSorted()) {
    const isSegment = /^[0-9A-F]{24}$/.test(name) && name >= of.first && name <= of.last;
    if (!isSegment && !name.endsWith('.history')) continue;
    if ((await copyDurably(path.join(of.from, name), path.join(of.to, name))) === null) {
      throw new Error(`${name} was deleted during the backup, so the backup was discarded. Run it again.`);
    }
    if (isSegment) segments++;
  }
  await syncFolder(of.to);
  return segments;
};
