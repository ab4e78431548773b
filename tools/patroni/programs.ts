// Finds what a pair of PostgreSQL under Patroni takes: Patroni, etcd, HAProxy and PostgreSQL's programs.

import { access } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../cluster/balancer.ts';
import { askConfig, candidates } from '../distributed/programs.ts';

export type PatroniPrograms = {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
  /** The folder of PostgreSQL's programs. */
  readonly binDir: string;
};

export const PATRONI_MISSING =
  'Patroni, etcd, HAProxy or PostgreSQL is not installed (apt-get install patroni etcd-server haproxy postgresql-15).';

/** The newest PostgreSQL with all programs that Patroni calls; null without one. */
const findBinDir = async (): Promise<string | null> => {
  for (const pgConfig of await candidates()) {
    const binDir = await askConfig(pgConfig, '--bindir').catch(() => null);
    if (binDir === null) continue;
    const needed = ['postgres', 'pg_rewind', 'pg_basebackup'].map((name) => access(path.join(binDir, name)));
    const isWhole = await Promise.all(needed).then(
      () => true,
      () => false,
    );
    if (isWhole) return binDir;
  }
  return null;
};

/** Null when any of them is missing. */
export const findPatroni = async (): Promise<PatroniPrograms | null> => {
  const [patroni, etcd, haproxy] = await Promise.all(['patroni', 'etcd', 'haproxy'].map(findProgram));
  const binDir = await findBinDir();
  if (!patroni || !etcd || !haproxy || binDir === null) return null;
  return { patroni, etcd, haproxy, binDir };
};
