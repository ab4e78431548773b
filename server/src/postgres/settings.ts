// Settings and socket of the embedded PostgreSQL: a commit is on disk before it is confirmed, and only the owner of the folder can
// connect. The settings are given on the command line, so neither files in the folder nor ALTER SYSTEM can weaken them.

import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export type Settings = Record<string, string | number>;

const MIB = 2 ** 20;

/**
 * Pages that PostgreSQL keeps in memory: a sixteenth of the machine's, or of the container's. An order changes pages of many indexes, which do not
 * fit into 256 MB from a million orders on. Memory that no page has used yet is not taken.
 */
export const sharedBuffers = (memoryBytes: number): string => {
  const mib = Math.floor(memoryBytes / 16 / MIB);
  return `${Math.min(Math.max(mib, 256), 1_024)}MB`;
};

/** Without a limit of a container, `constrained` is 0 or larger than the memory of the machine. */
const memoryOf = (constrained: number, total: number): number =>
  constrained > 0 ? Math.min(constrained, total) : total;

const SETTINGS: Settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: 100,
  shared_buffers: sharedBuffers(memoryOf(process.constrainedMemory(), os.totalmem())),
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off', // Short statements only: compiling them costs more than it saves.
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse', // The DETAIL lines would quote values.
  log_parameter_max_length_on_error: 0,
  log_checkpoints: 'off',
};

// No network, only a socket in PostgreSQL's own 0700 folder. Therefore no password is needed.
const PRIVATE: Settings = { listen_addresses: '', unix_socket_directories: '.', port: 5432 };

export const PORT = Number(PRIVATE.port);

export function toArguments(overrides: Settings = {}): string[] {
  return Object.entries({ ...SETTINGS, ...overrides, ...PRIVATE }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}

const ADDRESS_BYTES_MAX = 103; // macOS; Linux has 107.

/** The folder of the socket for clients. A path that is too long for a socket address gets a short link in a temporary folder. */
export async function shortenSocketFolder(cluster: string): Promise<{ host: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(path.join(cluster, `.s.PGSQL.${PORT}`)) <= ADDRESS_BYTES_MAX) {
    return { host: cluster, remove: async () => {} };
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'hf-'));
  const host = path.join(folder, 'pg');
  await symlink(cluster, host);
  return { host, remove: () => rm(folder, { recursive: true, force: true }) };
}
