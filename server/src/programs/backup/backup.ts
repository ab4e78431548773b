// Takes a backup of a data folder while the server works on it, and puts one back into an empty folder. A backup without
// its manifest is none: the manifest comes last. Never overwrites a folder that has something in it.

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { clusterFolder } from '../../postgres/cluster.ts';
import { openCommandDatabase, refuseWithoutDatabase } from '../../postgres/for-command.ts';
import { VERSION } from '../../version.ts';
import { copyCluster, copyDurably, copyLog, copyTree, syncFolder } from './files.ts';
import { type Head, readHeads } from './heads.ts';

export type Manifest = {
  readonly holdfast: string;
  readonly postgresql: string;
  readonly takenAt: string;
  readonly bytes: number;
  readonly logSegments: number;
  /** Beside the database: keys, and the state of the twins. */
  readonly files: readonly string[];
  /** As they were shortly before the end of the backup. What came later may be in it too, never less. */
  readonly heads: readonly Head[];
};

const MANIFEST = 'manifest.json';
/** Without the keys the wallets cannot be opened and every access token dies; the twins' state is their whole memory. */
const BESIDE = /^(secrets(-\d+)?\.json|sandbox\.jsonl)$/;

const connected = async (connection: pg.ClientConfig): Promise<pg.Client> => {
  const client = new pg.Client({ ...connection, application_name: 'holdfast-backup' });
  client.on('error', () => {});
  await client.connect();
  return client;
};

// The slot keeps the log from being recycled before it is copied; it is gone with the session, whatever happens.
const BEGIN = `with slot as (
    select * from pg_create_physical_replication_slot('holdfast_backup_' || pg_backend_pid(), true, true)
  ) select lsn as slot from slot`;
const START = `select pg_walfile_name(pg_backup_start('holdfast', fast => true)) as first`;
const STOP = `select labelfile, pg_walfile_name(lsn) as last from pg_backup_stop(wait_for_archive => false)`;

type Taking = {
  readonly dataDir: string;
  readonly to: string;
  /** Aborted: it stops at the next file, and nothing is kept. */
  readonly signal?: AbortSignal | undefined;
};

const copyDatabase = async ({ dataDir, to, signal }: Taking) => {
  const from = clusterFolder(dataDir);
  const cluster = clusterFolder(to);
  const { connection, close } = await openCommandDatabase({ url: null, dataDir });
  const client = await connected(connection as pg.ClientConfig);
  try {
    await client.query(BEGIN);
    const { first } = (await client.query<{ first: string }>(START)).rows[0]!;
    const bytes = await copyCluster({ from, to: cluster, signal });
    const heads = await readHeads(client);
    const { rows } = await client.query<{ labelfile: string; last: string }>(STOP);
    const { labelfile, last } = rows[0]!;
    const logs = { from: path.join(from, 'pg_wal'), to: path.join(cluster, 'pg_wal'), first, last };
    const logSegments = await copyLog(logs);
    await writeFile(path.join(cluster, 'backup_label'), labelfile, { mode: 0o600, flush: true });
    const { server_version: postgresql } = (await client.query('show server_version')).rows[0]!;
    return { bytes, heads, logSegments, postgresql: String(postgresql) };
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

const takeInto = async (unfinished: string, { dataDir, to, signal }: Taking): Promise<Manifest> => {
  const database = await copyDatabase({ dataDir, to: unfinished, signal });
  // After the database: an outside system is never behind the books that it is restored with.
  const files = (await namesIn(dataDir)).filter((name) => BESIDE.test(name));
  for (const name of files) await copyDurably(path.join(dataDir, name), path.join(unfinished, name));
  const manifest: Manifest = { holdfast: VERSION, takenAt: new Date().toISOString(), files, ...database };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  await writeFile(path.join(unfinished, MANIFEST), text, { mode: 0o600, flush: true });
  await syncFolder(unfinished);
  signal?.throwIfAborted();
  await rm(to, { recursive: true, force: true });
  await rename(unfinished, to);
  await syncFolder(path.dirname(to));
  return manifest;
};

export const takeUnlessInterrupted = async ({ dataDir, to, signal }: Taking): Promise<Manifest> => {
  await refuseWithoutDatabase(dataDir);
  await refuseFull(to);
  const unfinished = `${to}.unfinished`;
  const remove = (): Promise<void> => rm(unfinished, { recursive: true, force: true });
  await remove();
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  return takeInto(unfinished, { dataDir, to, signal }).finally(remove);
};

/** Also of a folder whose server is stopped: its PostgreSQL is then started for the while. */
export const takeBackup = (dataDir: string, to: string): Promise<Manifest> => takeUnlessInterrupted({ dataDir, to });

export const readManifest = async (backup: string): Promise<Manifest> => {
  const text = await readFile(path.join(backup, MANIFEST), 'utf8').catch(() => {
    throw new Error(`${backup} has no ${MANIFEST}: it is no backup, or one that was interrupted.`);
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
    await copyTree({ from: clusterFolder(backup), to: clusterFolder(dataDir), signal });
    for (const name of manifest.files) await copyDurably(path.join(backup, name), path.join(dataDir, name));
    await syncFolder(dataDir);
    return manifest;
  } catch (error) {
    // Half of the books are none.
    await empty(dataDir);
    throw error;
  }
};

/** The folder is then as good as the one that was backed up: a server started on it recovers and goes on. */
export const restoreBackup = (backup: string, dataDir: string): Promise<Manifest> =>
  restoreUnlessInterrupted({ backup, dataDir });
