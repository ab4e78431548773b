// The mark of a data folder that was restored from a backup: an empty database cannot say it, so a file beside the cluster does, until
// the first start has written a hold of payments into the database.

import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const fileIn = (dataDir: string): string => path.join(dataDir, 'restored.json');

export const markRestored = (dataDir: string, takenAt: string): Promise<void> =>
  writeFile(fileIn(dataDir), `${JSON.stringify({ backupTakenAt: takenAt })}\n`, { mode: 0o600, flush: true });

/** Null: the folder was not restored, or its server has started before. `takenAt` is null when the file cannot be read. */
export const findRestored = async (dataDir: string): Promise<{ readonly takenAt: string | null } | null> => {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? null : '',
  );
  return text === null ? null : { takenAt: /"backupTakenAt":"([^"]+)"/.exec(text)?.[1] ?? null };
};

export const unmarkRestored = (dataDir: string): Promise<void> => rm(fileIn(dataDir), { force: true });
