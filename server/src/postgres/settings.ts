// How the embedded PostgreSQL is set up: what it answers is on disk, and nobody but its own folder's owner can talk to
// it. Given on the command line, so neither the folder's own files nor ALTER SYSTEM weaken them.

export type Settings = Record<string, string | number>;

const SETTINGS: Settings = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: 100,
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  jit: 'off', // Short statements only: compiling them costs more than it saves.
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_error_verbosity: 'terse', // The DETAIL lines would quote values.
  log_parameter_max_length_on_error: 0,
  log_checkpoints: 'off',
};

// No network: a socket in PostgreSQL's own 0700 folder, which is also what lets it go without a password.
const PRIVATE: Settings = { listen_addresses: '', unix_socket_directories: '.', port: 5432 };

export const PORT = Number(PRIVATE.port);

export function toArguments(overrides: Settings = {}): string[] {
  return Object.entries({ ...SETTINGS, ...overrides, ...PRIVATE }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
}
