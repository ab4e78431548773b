// The archives that belong to a backup: which ones the database needs, and their files. Finished archives never change, so they are
// copied while the server is running.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import { checkArchives } from '../../modules/archives/verify-archives.ts';
import type { Finding } from '../script-command.ts';
import { copyTree, nullIfMissing } from './files.ts';

/** An archive whose rows are not in the database, so that a restored database needs its files. */
export type NeededArchive = {
  readonly marketplaceId: string;
  readonly id: string;
  readonly manifestHash: string;
  /** False: its folder was not there, or was left out. */
  readonly isCopied: boolean;
};

/** The name of the folder in a backup, and in a data folder unless ARCHIVE_DIR is set. */
const FOLDER = 'archive';

export const archivesIn = (folder: string): string => path.join(folder, FOLDER);

const NEEDED = `select marketplace_id as "marketplaceId", id, manifest_hash as "manifestHash" from archives
  where state <> 'RESTORED' order by marketplace_id, last_seq`;

export const readNeeded = async (client: pg.ClientBase): Promise<Omit<NeededArchive, 'isCopied'>[]> =>
  (await client.query<Omit<NeededArchive, 'isCopied'>>(NEEDED)).rows;

type Copying = {
  /** Null: the archives are left out. */
  readonly from: string | null;
  readonly to: string;
  readonly signal?: AbortSignal | undefined;
};

/** A folder that is being written, or that was put aside, is no archive. */
const isFinished = (name: string): boolean => !/\.(unfinished|replaced-\d+)$/.test(name);

/** Copies every archive, also one that was sealed after `needed` was read. */
export const copyArchives = async (
  needed: readonly Omit<NeededArchive, 'isCopied'>[],
  { from, to, signal }: Copying,
): Promise<{ archives: NeededArchive[]; bytes: number }> => {
  const target = archivesIn(to);
  const isThere = from !== null && (await readdir(from).catch(nullIfMissing)) !== null;
  const bytes = isThere ? await copyTree({ from, to: target, wants: isFinished, signal }) : 0;
  const archives = [];
  for (const archive of needed) {
    const folder = path.join(target, archive.marketplaceId, archive.id);
    archives.push({ ...archive, isCopied: (await readdir(folder).catch(nullIfMissing)) !== null });
  }
  return { archives, bytes };
};

/** Reads every file of every archive that the database needs. */
export const proveArchives = async (
  pool: pg.Pool,
  of: { dir: string; marketplaceIds: readonly string[] },
): Promise<Finding[]> => {
  const findings: Finding[] = [];
  for (const marketplaceId of of.marketplaceIds) {
    const { holds, detail } = await checkArchives({ pool, dir: of.dir, marketplaceId });
    findings.push({ promise: 'every archive is there and holds', holds, detail: `${marketplaceId}: ${detail}` });
  }
  return findings;
};
