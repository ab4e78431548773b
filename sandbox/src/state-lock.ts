// Keeps two sandboxes from using one state file: the second would replace it under the first. The lock of an ended process is taken
// over, so a killed sandbox can start again.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const held = new Set<string>();

export function lockFile(file: string): { release(): void } {
  const lock = `${file}.lock`;
  const owner = readOwner(lock);
  // Our own process id in an old file is normal in a container.
  const taken = owner === process.pid ? held.has(lock) : owner !== null && isAlive(owner);
  if (taken) {
    throw new Error(
      `Another sandbox (process ${owner}) uses ${file}: stop it, or choose another DATA_DIR. ` +
        `If that process is not a sandbox, remove ${lock}.`,
    );
  }
  writeFileSync(lock, `${process.pid}\n`, { mode: 0o600 });
  held.add(lock);
  return {
    release() {
      held.delete(lock);
      rmSync(lock, { force: true });
    },
  };
}

function readOwner(lock: string): number | null {
  try {
    return Number.parseInt(readFileSync(lock, 'utf8'), 10) || null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
