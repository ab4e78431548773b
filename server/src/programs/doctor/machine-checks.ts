// The part of the checklist that the machine decides: who may look into the data folder, how much room there is, how
// many files may be open, and which user runs the server. It only reads.

import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { failed, fine, type Look, unknown, type Verdict, warning } from './verdict.ts';

export type Machine = {
  readonly dataDir: string;
  /** Connections that the settings allow. */
  readonly connectionsMax: number;
};

const GIB = 2 ** 30;
const ROOM = { failed: GIB / 4, warning: 2 * GIB };
/** For the database, the log, and what else is not a connection. */
const FILES_BESIDES = 500;
const FILES_MIN = 1_024;

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(3, '0');

// Others may walk through it, because the database runs as another user in a folder below; they may not look around.
export const lookAtFolder = async (dataDir: string): Promise<Look> => {
  const folder = await stat(dataDir).catch(() => null);
  if (folder === null) return fine('There is no data folder yet; it is made for its owner alone.');
  if ((folder.mode & 0o066) !== 0) {
    return failed(`Others can look into the data folder (mode ${octal(folder.mode)}).`, 'chmod 711 the data folder.');
  }
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => /^secrets.*\.json$/.test(name));
  for (const name of names) {
    const { mode } = await stat(path.join(dataDir, name));
    if ((mode & 0o077) !== 0) {
      return failed(`Others can read ${name} (mode ${octal(mode)}).`, `chmod 600 it, then replace what is in it.`);
    }
  }
  return fine(`Only its owner can look into the data folder (mode ${octal(folder.mode)}).`);
};

const nearestFolder = async (folder: string): Promise<string> => {
  const there = await stat(folder).catch(() => null);
  return there !== null || path.dirname(folder) === folder ? folder : nearestFolder(path.dirname(folder));
};

export const judgeRoom = (bytes: number): Look => {
  const shown = `${(bytes / GIB).toFixed(1)} GiB are free where the data folder is.`;
  if (bytes < ROOM.failed) return failed(shown, 'Make room now: a full disk stops every write.');
  return bytes < ROOM.warning ? warning(shown, 'Make room, or move DATA_DIR to a larger disk.') : fine(shown);
};

const lookAtRoom = async (dataDir: string): Promise<Look> => {
  const disk = await statfs(await nearestFolder(path.resolve(dataDir))).catch(() => null);
  return disk === null ? unknown('The free room cannot be read.') : judgeRoom(disk.bavail * disk.bsize);
};

/** `limits` is what Linux tells of a process; elsewhere it is null. */
export const judgeFiles = (limits: string | null, connectionsMax: number): Look => {
  const [, soft] = /^Max open files\s+(\d+|unlimited)/m.exec(limits ?? '') ?? [];
  if (soft === undefined) return unknown('How many files may be open is only told on Linux.');
  const count = soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft);
  if (count < FILES_MIN) return failed(`Only ${soft} files may be open.`, 'Raise the limit: ulimit -n 65536.');
  if (count >= connectionsMax + FILES_BESIDES) return fine(`${soft} files may be open.`);
  return warning(
    `${soft} files may be open, and SSE_CONNECTIONS_MAX allows ${connectionsMax} connections.`,
    'Raise the limit (LimitNOFILE, ulimit -n), or lower SSE_CONNECTIONS_MAX.',
  );
};

export const judgeAccount = (uid: number | null): Look =>
  uid === 0
    ? warning('We run as root: a flaw of ours would be a flaw of the whole machine.', 'Run it as a user of its own.')
    : fine('We do not run as root.');

export const examineMachine = async ({ dataDir, connectionsMax }: Machine): Promise<Verdict[]> => {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
  return [
    { name: 'data-folder', ...(await lookAtFolder(dataDir)) },
    { name: 'disk-space', ...(await lookAtRoom(dataDir)) },
    { name: 'open-files', ...judgeFiles(limits, connectionsMax) },
    { name: 'account', ...judgeAccount(process.getuid?.() ?? null) },
  ];
};
