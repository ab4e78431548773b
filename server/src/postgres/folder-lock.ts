// One server per data folder. The lock is a lock of the kernel on an empty SQLite file: only one process gets it, and it ends with that
// process, so there is no stale lock and a reused process id does not matter. The process id file next to it never decides; it only
// shows the operator which process uses the folder.

import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type FolderLock = { release(): void };

const SQLITE_BUSY = 5;

export function lockFolder(folder: string): FolderLock {
  const holderFile = path.join(folder, 'server.pid');
  const lockFile = path.join(folder, 'server.lock');
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Error(
      `The data folder ${folder} is in use by another Holdfast server${describeHolder(holderFile)}. ` +
        'Stop that server first, or give this one a folder of its own with DATA_DIR.',
      { cause: error },
    );
  }
  chmodSync(lockFile, 0o600);
  writeFileSync(holderFile, `${process.pid}\n`, { mode: 0o600 });

  return {
    release() {
      if (!lock.isOpen) return;
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function describeHolder(holderFile: string): string {
  try {
    const pid = Number.parseInt(readFileSync(holderFile, 'utf8'), 10);
    return pid > 0 ? ` (process ${pid})` : '';
  } catch {
    return '';
  }
}
