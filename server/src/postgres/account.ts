// The operating-system account of PostgreSQL. PostgreSQL refuses to run as root, so root selects an unprivileged account; other users
// run it as themselves. Our environment is never passed on: it may contain keys that the account must not see.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type Account = { uid: number; gid: number };

const run = promisify(execFile);
const UNPRIVILEGED = ['postgres', 'nobody'];

export const isRoot = () => process.getuid?.() === 0;

export async function chooseAccount(): Promise<Account> {
  if (!isRoot()) return { uid: process.getuid!(), gid: process.getgid!() };
  for (const name of UNPRIVILEGED) {
    const account = await findAccount(name);
    if (account !== null) return account;
  }
  throw new Error(
    `PostgreSQL does not run as root, and this machine has no user ${UNPRIVILEGED.join(' or ')}. ` +
      'Start the server as an ordinary user, or set DATABASE_URL.',
  );
}

// Spawn options that become this account. Node changes folder before it changes user, so `cwd` may be a place that the
// account itself cannot enter.
export function runAs(account: Account, cwd: string) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return isRoot() ? { uid: account.uid, gid: account.gid, cwd, env } : { cwd, env };
}

export async function canReach(account: Account, folder: string): Promise<boolean> {
  const reached = run('/bin/sh', ['-c', 'cd -- "$0"', folder], runAs(account, '/'));
  return reached.then(
    () => true,
    () => false,
  );
}

async function findAccount(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return null;
  }
}
