// Takes a backup of a data folder, also while its server is running, and restores one to an empty folder. The manifest is written last: a
// folder without it is not a backup. Never overwrites a folder that is not empty.

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { clusterFolder } from '../../postgres/cluster.ts';
import { openCommandDatabase, refuseWithoutDatabase } from '../../postgres/for-command.ts';
import { markRestored } from '../../postgres/restored.ts';
import { VERSION } from '../../version.ts';
import { archivesIn, copyArchives, type NeededArchive, readNeeded } from './archives.ts';
import { copyCluster, copyDurably, copyLog, copyTree, syncFolder } from './files.ts';
import { type Head, readHeads } from './heads.ts';

export type Manifest = {
  readonly holdfast: string;
  readonly postgresql: string;
  readonly takenAt: string;
  readonly bytes: number;
  readonly logSegments: number;
  /** The files outside the database: keys, and the state of the simulators. */
  readonly files: readonly string[];
  /** The heads shortly before the end of the backup. The backup contains at least these entries. */
  readonly heads: readonly Head[];
  /** The archives that the database needs. Backups of earlier versions have no such list. */
  readonly archives?: readonly NeededArchive[];
};

const MANIFEST = 'manifest.json';
/** Without the keys no wallet can be opened and no access token is valid. The simulators have no other copy of their state. */
const OTHER_FILES = /^(secrets(-\d+)?\.json|sandbox\.jsonl)$/;

const connected = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection, application_name: 'holdfast-backup' });
  client.on('error', () => {});
  await client.connect();
  return client;
};

// The slot prevents PostgreSQL from deleting the log before it is copied. PostgreSQL drops the slot at the end of the session.
const BEGIN = `with slot as (
    select * from pg_create_physical_replication_slot('holdfast_backup_' || pg_backend_pid(), true, true)
  ) select lsn as slot from slot`;
const START = `select pg_walfile_name(pg_backup_start('holdfast', fast => true)) as first`;
const STOP = `select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`;

type Taking = {
  readonly dataDir: string;
  readonly to: string;
  /** The folder of the archives; null: they are left out. */
  readonly archiveDir: string | null;
  /** When aborted, the copy stops at the next file and everything is deleted. */
  readonly signal?: AbortSignal | undefined;
};

const copyDatabase = async ({ dataDir, to, signal }: Omit<Taking, 'archiveDir'>) => {
  const from = clusterFolder(dataDir);
  const cluster = clusterFolder(to);
  const { connection, close } = await openCommandDatabase({ url: null, dataDir });
  const client = await connected(connection as pg.ClientConfig);
  try {
    await client.query(BEGIN);
    const { first } = (await client.query<{ first: string }>(START)).rows[0]!;
    const bytes = await copyCluster({ from, to: cluster, signal });
    const heads = await readHeads(client);
    const needed = await readNeeded(client);
    const { rows } = await client.query<{ labelfile: string; last: string }>(STOP);
    const { labelfile, last } = rows[0]!;
    const logs = { from: path.join(from, 'pg_wal'), to: path.join(cluster, 'pg_wal'), first, last };
    const logSegments = await copyLog(logs);
    await writeFile(path.join(cluster, 'backup_label'), labelfile, { mode: 0o600, flush: true });
    const { server_version: postgresql } = (await client.query('show server_version')).rows[0]!;
    return { needed, copied: { bytes, heads, logSegments, postgresql: String(postgresql) } };
  } finally {
    await client.end();
    await close();
  }
};

const namesIn = async (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });

const refuseFull = async (folder: string): Promise<void> => {
  if ((await namesIn(folder)).length > 0) throw new Error(`${folder} is not empty: choose another folder.`);
};

const takeBackupInto = async (unfinished: string, { dataDir, to, archiveDir, signal }: Taking): Promise<Manifest> => {
  const { needed, copied } = await copyDatabase({ dataDir, to: unfinished, signal });
  // After the database, so that no archive is missing that was sealed before the end of the copy.
  const { archives, bytes } = await copyArchives(needed, { from: archiveDir, to: unfinished, signal });
  // Copied after the database, so that the restored simulators are never behind the restored books.
  const files = (await namesIn(dataDir)).filter((name) => OTHER_FILES.test(name));
  for (const name of files) await copyDurably(path.join(dataDir, name), path.join(unfinished, name));
  const manifest: Manifest = {
    holdfast: VERSION,
    takenAt: new Date().toISOString(),
    files,
    archives,
    ...copied,
    bytes: copied.bytes + bytes,
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(path.join(unfinished, MANIFEST), text, { mode: 0o600, flush: true });
  await syncFolder(unfinished);
  signal?.throwIfAborted();
  await rm(to, { recursive: true, force: true });
  await rename(unfinished, to);
  await syncFolder(path.dirname(to));
  return manifest;
};

export const takeUnlessInterrupted = async ({ dataDir, to, ...how }: Taking): Promise<Manifest> => {
  await refuseWithoutDatabase(dataDir);
  await refuseFull(to);
  const unfinished = `${to}.unfinished`;
  const remove = (): Promise<void> => rm(unfinished, { recursive: true, force: true });
  await remove();
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  return takeBackupInto(unfinished, { dataDir, to, ...how }).finally(remove);
};

/** Also for a stopped server: its PostgreSQL is started for the time of the backup. The archives are those in the data folder. */
export const takeBackup = (dataDir: string, to: string): Promise<Manifest> =>
  takeUnlessInterrupted({ dataDir, to, archiveDir: archivesIn(dataDir) });

export const readManifest = async (backup: string): Promise<Manifest> => {
  const text = await readFile(path.join(backup, MANIFEST), 'utf8').catch(() => {
    throw new Error(`${backup} has no ${MANIFEST}: it is not a backup, or the backup was interrupted.`);
  });
  return JSON.parse(text) as Manifest;
};

const empty = async (folder: string): Promise<void> => {
  for (const name of await namesIn(folder)) await rm(path.join(folder, name), { recursive: true, force: true });
};

type Restoring = Pick<Taking, 'dataDir' | 'signal'> & { readonly backup: string };

export const restoreUnlessInterrupted = async ({ backup, dataDir, signal }: Restoring): Promise<Manifest> => {
  const manifest = await readManifest(backup);
  await refuseFull(dataDir);
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  try {
    // First, so that no copy of the folder, not even an incomplete one, starts without it.
    await markRestored(dataDir, manifest.takenAt);
    await copyTree({ from: clusterFolder(backup), to: clusterFolder(dataDir), signal });
    for (const name of manifest.files) await copyDurably(path.join(backup, name), path.join(dataDir, name));
    const isCopied = manifest.archives?.some((archive) => archive.isCopied) === true;
    if (isCopied) await copyTree({ from: archivesIn(backup), to: archivesIn(dataDir), signal });
    await syncFolder(dataDir);
    return manifest;
  } catch (error) {
    // An incomplete copy must not look like a data folder.
    await empty(dataDir);
    throw error;
  }
};

/** A server that is started on the folder recovers from the log and continues. */
export const restoreBackup = (backup: string, dataDir: string): Promise<Manifest> =>
  restoreUnlessInterrupted({ backup, dataDir });
