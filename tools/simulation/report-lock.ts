// One run at a time writes the report: two would write over each other's rows. The lock is the kernel's own, held through an
// empty SQLite file, so it is gone the moment its process is.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Held until the process ends, or it is closed; null while another one holds it. */
export const lockReport = (file: string): { release(): void } | null => {
  mkdirSync(path.dirname(file), { recursive: true });
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch {
    lock.close();
    return null;
  }
  return { release: () => lock.close() };
};
