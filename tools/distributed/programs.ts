// Finds a PostgreSQL with Citus: the programs of `PG_CONFIG`, of the path, or of Debian's folders.

import { execFile } from 'node:child_process';
import { access, glob } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export type Programs = {
  readonly initdb: string;
  readonly postgres: string;
  /** As `postgres --version` prints it. */
  readonly version: string;
};

const run = promisify(execFile);

export const askConfig = async (pgConfig: string, what: string): Promise<string> =>
  (await run(pgConfig, [what])).stdout.trim();

/** Programs `pg_config`, of which some may not exist: the one that is named first, then newer versions before older ones. */
export const candidates = async (): Promise<string[]> => {
  const ofDebian = await Array.fromAsync(glob('/usr/lib/postgresql/*/bin/pg_config'));
  return [process.env.PG_CONFIG, ...ofDebian.sort().toReversed(), 'pg_config'].filter((each) => each !== undefined);
};

/** Null when this PostgreSQL is not there or has no Citus. */
export const programsOf = async (pgConfig: string): Promise<Programs | null> => {
  try {
    await access(path.join(await askConfig(pgConfig, '--sharedir'), 'extension', 'citus.control'));
    const bin = await askConfig(pgConfig, '--bindir');
    const postgres = path.join(bin, 'postgres');
    const { stdout } = await run(postgres, ['--version']);
    return { initdb: path.join(bin, 'initdb'), postgres, version: stdout.trim() };
  } catch {
    return null;
  }
};

/** Null when no installed PostgreSQL has Citus. */
export const findPrograms = async (): Promise<Programs | null> => {
  for (const pgConfig of await candidates()) {
    const found = await programsOf(pgConfig);
    if (found) return found;
  }
  return null;
};
