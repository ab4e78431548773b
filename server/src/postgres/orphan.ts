// A PostgreSQL whose Holdfast was killed keeps running. It is found by its pid file, recognised by its command line, and
// stopped before a new one starts. Never signals a process that is not the PostgreSQL of this folder.

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_MS = 10;
const FAST_SHUTDOWN_MS = 30_000;

// The last argument of every PostgreSQL of ours, because the folder it was given may be called /proc/self/cwd.
export const markOf = (cluster: string) => `holdfast.cluster=${cluster}`;

export async function stopOrphan(cluster: string, log: (line: string) => void): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  if (!(pid > 0) || !signal(pid, 0)) return;

  const isOurs = async () => (await commandLineOf(pid)).endsWith(markOf(cluster));
  if (!(await isOurs())) {
    // Another program has that process id now, and PostgreSQL would refuse to start. Its parent's id it takes for stale,
    // and then still checks that no backend of the old server is left, which it would not do without the file.
    await writeFile(pidFile, content.replace(/^\d+/, String(process.pid)));
    return;
  }
  log(`Stopping the PostgreSQL (process ${pid}) that an earlier server left running`);
  const patience = Date.now() + FAST_SHUTDOWN_MS;
  signal(pid, 'SIGINT');
  while (await isOurs()) {
    if (Date.now() > patience) signal(pid, 'SIGQUIT');
    await pause(POLL_MS);
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''); // Empty for a process that has ended.
    return args.replace(/\0$/, '');
  }
  return run('ps', ['-o', 'args=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.trimEnd(),
    () => '',
  );
}
