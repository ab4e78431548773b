// The checks of the machine: the permissions of the data folder, free disk space, the limit of open files, and the user that runs the
// server. It only reads.

import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type CheckResult, failed, fine, unknown, type Verdict, warning } from './verdict.ts';

export type Machine = {
  readonly dataDir: string;
  /** Event streams that the settings allow. */
  readonly connectionsMax: number;
};

const GIB = 2 ** 30;
const FREE_MIN = { failed: GIB / 4, warning: 2 * GIB };
/** Open files of the database connections, the log and everything else that is not an event stream. */
const OTHER_FILES = 500;
const FILES_MIN = 1_024;

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(3, '0');

// Other users may enter the folder, because the database runs as another user in a subfolder. They must not list it.
export const inspectFolder = async (dataDir: string): Promise<CheckResult> => {
  const folder = await stat(dataDir).catch(() => null);
  if (folder === null) return fine('There is no data folder yet. The first start creates it with safe permissions.');
  if ((folder.mode & 0o066) !== 0) {
    return failed(
      `Other users can list the data folder (mode ${octal(folder.mode)}).`,
      'Run chmod 711 on the data folder.',
    );
  }
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => /^secrets.*\.json$/.test(name));
  for (const name of names) {
    const { mode } = await stat(path.join(dataDir, name));
    if ((mode & 0o077) !== 0) {
      return failed(
        `Other users can read ${name} (mode ${octal(mode)}).`,
        'Run chmod 600 on this file, then replace the secrets in it.',
      );
    }
  }
  return fine(`Only the owner can list the data folder (mode ${octal(folder.mode)}).`);
};

const nearestFolder = async (folder: string): Promise<string> => {
  const there = await stat(folder).catch(() => null);
  return there !== null || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder));
};

export const assessDiskSpace = (bytes: number): CheckResult => {
  const detail = `${(bytes / GIB).toFixed(1)} GiB are free on the disk of the data folder.`;
  if (bytes < FREE_MIN.failed) return failed(detail, 'Free disk space now: a full disk stops every write.');
  return bytes < FREE_MIN.warning
    ? warning(detail, 'Free disk space, or move DATA_DIR to a larger disk.')
    : fine(detail);
};

const inspectDiskSpace = async (dataDir: string): Promise<CheckResult> => {
  const disk = await statfs(await nearestFolder(path.resolve(dataDir))).catch(() => null);
  return disk === null ? unknown('The free disk space could not be read.') : assessDiskSpace(disk.bavail * disk.bsize);
};

/** `limits` is the text of /proc/self/limits; null on other systems than Linux. */
export const assessFiles = (limits: string | null, connectionsMax: number): CheckResult => {
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '') ?? [];
  if (soft === undefined) return unknown('The limit of open files can be read only on Linux.');
  const count = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  if (count < FILES_MIN) return failed(`The limit of open files is only ${soft}.`, 'Raise the limit: ulimit -n 65536.');
  if (count >= connectionsMax + OTHER_FILES) return fine(`The limit of open files is ${soft}.`);
  return warning(
    `The limit of open files is ${soft}, but SSE_CONNECTIONS_MAX allows ${connectionsMax} event streams.`,
    'Raise the limit (LimitNOFILE, ulimit -n), or lower SSE_CONNECTIONS_MAX.',
  );
};

export const assessAccount = (uid: number | null): CheckResult =>
  uid === 0
    ? warning(
        'The server runs as root: a flaw of the server would affect the whole machine.',
        'Run the server as a user of its own.',
      )
    : fine('The server does not run as root.');

export const checkMachine = async ({ dataDir, connectionsMax }: Machine): Promise<Verdict[]> => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
  return [
    { name: 'data-folder', ...(await inspectFolder(dataDir)) },
    { name: 'disk-space', ...(await inspectDiskSpace(dataDir)) },
    { name: 'open-files', ...assessFiles(limits, connectionsMax) },
    { name: 'account', ...assessAccount(process.getuid?.() ?? null) },
  ];
};
