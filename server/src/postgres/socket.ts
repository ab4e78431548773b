// Where clients find the socket. It lies in the cluster folder; a path too long for a socket address gets a short name
// through a link in a private temporary folder.

import { mkdtemp, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PORT } from './settings.ts';

const ADDRESS_BYTES_MAX = 103; // macOS; Linux has 107.

export async function shortenSocketFolder(cluster: string): Promise<{ host: string; remove(): Promise<void> }> {
  if (Buffer.byteLength(path.join(cluster, `.s.PGSQL.${PORT}`)) <= ADDRESS_BYTES_MAX) {
    return { host: cluster, remove: async () => {} };
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'hf-'));
  const host = path.join(folder, 'pg');
  await symlink(cluster, host);
  return { host, remove: () => rm(folder, { recursive: true, force: true }) };
}
