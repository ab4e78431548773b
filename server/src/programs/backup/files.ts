// Copies files that PostgreSQL is using: some vanish meanwhile, some grow, and its log puts that right. Everything that was
// copied is on the disk before it is called copied.

import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises';
import path from 'node:path';

/** Made anew at every start, or of the running process only: the folder is kept, what is in it is not. */
const EMPTIED = ['pg_wal', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp'];
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|\.s\.PGSQL\..*|pgsql_tmp.*)$/;

const gone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

/** Its size; null when it was gone before it could be copied. */
export const copyDurably = async (from: string, to: string): Promise<number | null> => {
  const copied = await copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true, gone);
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
  /** Aborted: no other file is begun. */
  readonly signal?: AbortSignal | undefined;
};

/** A folder with everything below it; the bytes that were copied. */
export const copyTree = async ({ from, to, wants = () => true, signal }: Copying): Promise<number> => {
  let bytes = 0;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of (await readdir(from).catch(gone)) ?? []) {
    signal?.throwIfAborted();
    if (!wants(name)) continue;
    const [source, target] = [path.join(from, name), path.join(to, name)];
    const found = await lstat(source).catch(gone);
    if (found?.isSymbolicLink())
      throw new Error(`${source} leads elsewhere: a tablespace cannot be backed up this way.`);
    if (found?.isDirectory()) bytes += await copyTree({ from: source, to: target, wants, signal });
    else if (found?.isFile()) bytes += (await copyDurably(source, target)) ?? 0;
  }
  await syncFolder(to);
  return bytes;
};

/** The cluster without its log: that one is complete only when the backup has ended. */
export const copyCluster = async ({ from, to, signal }: Omit<Copying, 'wants'>): Promise<number> => {
  const wants = (name: string): boolean => !LEFT_OUT.test(name) && !EMPTIED.includes(name);
  const bytes = await copyTree({ from, to, wants, signal });
  for (const name of [...EMPTIED, 'pg_wal/archive_status', 'pg_wal/summaries']) {
    await mkdir(path.join(to, name), { recursive: true, mode: 0o700 });
  }
  return bytes;
};

/** The part of the log that turns the copy into a consistent database. */
export const copyLog = async (of: { from: string; to: string; first: string; last: string }): Promise<number> => {
  let segments = 0;
  for (const name of (await readdir(of.from)).toSorted()) {
    const isSegment = /^[0-9A-F]{24}$/.test(name) && name >= of.first && name <= of.last;
    if (!isSegment && !name.endsWith('.history')) continue;
    if ((await copyDurably(path.join(of.from, name), path.join(of.to, name))) === null) {
      throw new Error(`${name} went away during the backup: nothing was kept, take it again.`);
    }
    if (isSegment) segments++;
  }
  await syncFolder(of.to);
  return segments;
};
