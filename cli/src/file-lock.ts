// One program for one file. The lock is the kernel's own, held through an empty SQLite file beside it: it is gone the
// moment the process is, so nothing stale is ever left that somebody would have to remove.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;

/** Null when another program has it. */
export const lockFile = (file: string): { release(): void } | null => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return { release: () => lock.close() };
};
