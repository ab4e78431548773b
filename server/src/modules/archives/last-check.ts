// The result of the last verification of each archive, in a file beside the archives of a marketplace. It says what was found and when, for
// people. No proof relies on it: a proof reads the archives.

import { readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { writeDurably } from './slices.ts';

/** What the last verification found of one archive. */
export type LastCheck = {
  readonly checkedAt: string;
  readonly holds: boolean;
  /** The file with the problem; null: it is not in one file, or there is none. */
  readonly file: string | null;
  readonly problem: string | null;
  /** The archive that was verified. A month that was restored and archived again is another one. */
  readonly manifestHash: string;
};

/** By the name of the month. */
export type LastChecks = Readonly<Record<string, LastCheck>>;

type Of = { readonly dir: string; readonly marketplaceId: string };

const fileOf = ({ dir, marketplaceId }: Of): string => path.join(dir, marketplaceId, 'last-check.json');

/** Empty when nothing was verified yet. A file that cannot be read says nothing. */
export const readLastChecks = async (of: Of): Promise<LastChecks> => {
  try {
    return JSON.parse(await readFile(fileOf(of), 'utf8')) as LastChecks;
  } catch {
    return {};
  }
};

/** Each month without its own result keeps the one that it has. A folder that cannot be written, as one that is not there, keeps nothing. */
export const keepLastChecks = async (of: Of, checks: LastChecks): Promise<void> => {
  const file = fileOf(of);
  // Backups leave out what is being written.
  const unfinished = `${file}.${process.pid}.unfinished`;
  const all = { ...(await readLastChecks(of)), ...checks };
  await writeDurably(unfinished, `${JSON.stringify(all, null, 2)}\n`)
    .then(() => rename(unfinished, file))
    .catch(() => {});
};
