// The folder of PostgreSQL's files. It is created under another name and renamed when complete, so a folder with the real name is
// always complete. Never empties, repairs or upgrades a finished folder.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { type Account, canReach, chooseAccount, isRoot, runAs } from './account.ts';
import type { Binaries } from './binaries.ts';

export const DATABASE = 'holdfast';

const run = promisify(execFile);

export const clusterFolder = (dataDir: string) => path.join(dataDir, 'postgres');

// The account that owns the cluster runs it, so that one folder never has files of two accounts.
export async function accountOf(cluster: string): Promise<Account> {
  const chosen = await chooseAccount();
  const owner = await stat(cluster).catch(() => null);
  if (owner === null || owner.uid === chosen.uid) return chosen;
  if (!isRoot()) {
    throw new Error(
      `${cluster} belongs to user ${owner.uid}, and this server runs as user ${chosen.uid}. ` +
        'Start it as that user or as root, or give it a folder of its own with DATA_DIR.',
    );
  }
  if (owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  await chownTree(cluster, chosen); // A backup that root has copied back.
  return chosen;
}

export async function checkVersion(cluster: string, major: number): Promise<void> {
  const found = (await readFile(path.join(cluster, 'PG_VERSION'), 'utf8')).trim();
  if (found === String(major)) return;
  throw new Error(
    `${cluster} was made by PostgreSQL ${found}, and this server brings PostgreSQL ${major}. ` +
      'Start the Holdfast version that made it, or move the data with pg_dump and DATABASE_URL.',
  );
}

// The name the account uses for the cluster. A data folder inside a closed folder (0700 of root) is entered by Node
// before it changes user, and from inside Linux knows it by this name, whatever the folders above allow.
export async function pathFor(account: Account, cluster: string): Promise<string> {
  if (await canReach(account, cluster)) return cluster;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new Error(
    `PostgreSQL runs as user ${account.uid}, which may not enter ${cluster}. ` +
      'Set DATA_DIR to a folder whose parents it may enter, or start the server as an ordinary user.',
  );
}

export async function createCluster(options: { cluster: string; account: Account; binaries: Binaries }) {
  const { cluster, account, binaries } = options;
  const unfinished = `${cluster}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (isRoot()) await chown(unfinished, account.uid, account.gid);

  const as = runAs(account, unfinished);
  const pgdata = await pathFor(account, unfinished);
  const encoding = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = ['--pgdata', pgdata, '--username', DATABASE, '--auth=trust', '--data-checksums', ...encoding];
  await run(binaries.initdb, args, as).catch((error: { stderr?: string }) => {
    throw new Error(`PostgreSQL could not prepare ${cluster}: ${error.stderr?.trim()}`, { cause: error });
  });
  const single = spawn(binaries.postgres, ['--single', '-D', pgdata, 'postgres'], { ...as, stdio: 'pipe' });
  single.stdin.end(`create database ${DATABASE};\n`);
  const [stderr, [code]] = await Promise.all([text(single.stderr), once(single, 'exit'), text(single.stdout)]);
  if (code !== 0 || stderr.includes('ERROR')) throw new Error(`PostgreSQL could not prepare ${cluster}: ${stderr}`);

  await rename(unfinished, cluster);
  const parent = await open(path.dirname(cluster));
  await parent.sync().finally(() => parent.close());
}

async function chownTree(folder: string, account: Account): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true })) {
    await chown(path.join(folder, entry), account.uid, account.gid);
  }
  await chown(folder, account.uid, account.gid);
}
