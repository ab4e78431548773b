// The manifest of an archive: what it contains, which hash each file has, and the hash of the manifest before it. The SHA-256 of its text
// is in the database and in the audit chain, so neither the manifest nor a file can be altered unnoticed.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ArchivedTable } from '../../commit/archived-rows.ts';
import { BrokenArchive, type Slice, sha256 } from './slices.ts';

type KindSum = {
  /** What the accounts are, such as user-available or wallet. */
  readonly kind: string;
  readonly currency: string;
  /** The sum of the postings of the period, in units of 10^-7, as text: JSON has no integers of this size. */
  readonly sum: string;
};

export type Manifest = {
  readonly format: 1;
  readonly holdfast: string;
  readonly marketplaceId: string;
  readonly id: string;
  readonly endsAt: string;
  readonly audit: {
    readonly first: string;
    readonly last: string;
    readonly hashBefore: string;
    readonly hashAfter: string;
  };
  readonly rows: Readonly<Record<ArchivedTable, number>>;
  readonly sums: readonly KindSum[];
  readonly files: readonly Slice[];
  /** The SHA-256 of the manifest before this one. */
  readonly previous: string | null;
};

const MANIFEST = 'manifest.json';

/** The folder of all archives, as the settings say. */
export const archiveFolder = (settings: {
  readonly archive: { readonly dir: string | null };
  readonly data: { readonly dir: string };
}): string => path.resolve(settings.archive.dir ?? path.join(settings.data.dir, 'archive'));

type ArchiveName = { readonly marketplaceId: string; readonly id: string };

/** Within the folder of all archives. */
export const relativeFolderOf = ({ marketplaceId, id }: ArchiveName): string =>
  path.join(marketplaceId, id.replaceAll(':', ''));

export const folderOf = (dir: string, of: ArchiveName): string => path.join(dir, relativeFolderOf(of));

export const manifestFile = (folder: string): string => path.join(folder, MANIFEST);

export const formatManifest = (manifest: Manifest): { text: string; hash: string } => {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  return { text, hash: sha256(text) };
};

/** The manifest in the folder with the hash of its text. Null: the folder is not there, or was not finished. */
const findManifest = async (folder: string): Promise<{ manifest: Manifest; hash: string } | null> => {
  const text = await readFile(manifestFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : { manifest: JSON.parse(text) as Manifest, hash: sha256(text) };
};

/** Refuses a manifest that is not the one with this hash. */
export const readManifest = async (folder: string, manifestHash: string): Promise<Manifest> => {
  const found = await findManifest(folder);
  if (found === null)
    throw new BrokenArchive(`${MANIFEST} is missing. Put the archive back into its folder.`, { file: MANIFEST });
  if (found.hash !== manifestHash)
    throw new BrokenArchive(`${MANIFEST} was altered: its hash is another one.`, { file: MANIFEST });
  return found.manifest;
};

/** The kind and the currency of an account, by its id. */
export const kindOf = (accountId: string): { kind: string; currency: string } => {
  const parts = accountId.split(':');
  const [first = '', second] = parts;
  const currency = parts.at(-1)!;
  if (first.startsWith('usr_')) return { kind: `user-${second}`, currency };
  if (first.startsWith('ord_')) return { kind: `order-${second}`, currency };
  const isNamed = ['wallet', 'contract', 'payment-float', 'payment-float-owed'].includes(first);
  return { kind: isNamed ? first : parts.slice(0, -1).join('-'), currency };
};
