// Builds Citus from a source folder for an installed PostgreSQL, without a change to the machine: the programs of PostgreSQL are copied into a
// cache, and Citus is installed beside the copies. PostgreSQL finds its libraries and extensions relative to its own program.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, cp, glob, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { canReach, chooseAccount } from '../../server/src/postgres/account.ts';
import { askConfig, candidates, type Programs, programsOf } from './programs.ts';

type Build = {
  readonly source: string;
  readonly signal: AbortSignal;
  /** The folder that keeps what was built; that of the project unless a test names another. */
  readonly cache?: string;
  say(line: string): void;
};

const run = promisify(execFile);
const CACHE = path.resolve(import.meta.dirname, '../../node_modules/.cache');
const OUTPUT_MAX = 64 * 1024 * 1024;
/** The last lines of a program that failed name the reason. */
const REASON_LINES = 12;
/** What an extension for development does not need, so that fewer packages have to be installed. */
const CONFIGURE = ['--without-libcurl', '--without-lz4', '--without-zstd'];

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/** A PostgreSQL for which extensions can be built; null when its developer files are missing. */
const findBuildable = async (): Promise<string | null> => {
  for (const pgConfig of await candidates()) {
    const pgxs = await askConfig(pgConfig, '--pgxs').catch(() => null);
    if (pgxs !== null && (await exists(pgxs))) return pgConfig;
  }
  return null;
};

/** Changes with every file of the source, so that a changed source is built again. */
const stampOf = async (source: string, version: string): Promise<string> => {
  const hash = createHash('sha256').update(version);
  const files = (await Array.fromAsync(glob('{configure,src/**/*.{c,h,sql,control,in}}', { cwd: source }))).sort();
  for (const file of files) {
    const { size, mtimeMs } = await stat(path.join(source, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
};

/** PostgreSQL runs as another account when this is root. That account may not be able to enter the folder of the project. */
const cacheFolder = async (cache: string): Promise<string> => {
  await mkdir(cache, { recursive: true });
  return (await canReach(await chooseAccount(), cache)) ? cache : os.tmpdir();
};

/** The same paths below another root: then what PostgreSQL finds relative to its program is there too. */
const copyPostgres = async (pgConfig: string, root: string): Promise<string> => {
  const ask = (what: string): Promise<string> => askConfig(pgConfig, what);
  const bin = await ask('--bindir');
  for (const folder of [bin, await ask('--pkglibdir'), await ask('--sharedir')])
    await cp(folder, path.join(root, folder), { recursive: true, dereference: true });
  return path.join(root, bin, 'pg_config');
};

const compile = async (folder: string, options: { pgConfig: string; root: string; signal: AbortSignal }) => {
  const { pgConfig, root, signal } = options;
  const step = async (program: string, args: readonly string[]): Promise<void> => {
    const env = { ...process.env, PG_CONFIG: pgConfig };
    await run(program, args, { cwd: folder, env, signal, maxBuffer: OUTPUT_MAX }).catch((error) => {
      signal.throwIfAborted();
      const said = `${error.stdout}\n${error.stderr}`.trim().split('\n').slice(-REASON_LINES).join('\n');
      throw new Error(`Citus was not built: ${path.basename(program)} failed.\n${said}`);
    });
  };
  await step('./configure', CONFIGURE);
  await step('make', [`-j${os.availableParallelism()}`, 'extension']);
  await step('make', ['install-extension', `DESTDIR=${root}`]);
};

/** The programs of a PostgreSQL with the Citus of this source folder. The second time they are taken from the cache. */
export const buildPrograms = async ({ source, signal, cache = CACHE, say }: Build): Promise<Programs> => {
  if (!(await exists(path.join(source, 'configure'))))
    throw new Error(`${source} is not a source folder of Citus: it has no configure program.`);
  const pgConfig = await findBuildable();
  if (pgConfig === null)
    throw new Error('No PostgreSQL for which Citus can be built: install postgresql-server-dev, or set PG_CONFIG.');
  const version = await askConfig(pgConfig, '--version');
  const root = path.join(await cacheFolder(cache), `holdfast-citus-${await stampOf(source, version)}`);
  const built = path.join(root, await askConfig(pgConfig, '--bindir'), 'pg_config');
  if (!(await exists(root))) {
    say(`Building Citus from ${source} for ${version}; this takes some minutes`);
    const unfinished = `${root}.${process.pid}`;
    const work = `${unfinished}.build`;
    try {
      // Links stay relative. Otherwise those inside the source would lead back to it, and make would write there.
      const isWanted = (file: string): boolean => path.basename(file) !== '.git';
      await cp(source, work, { recursive: true, verbatimSymlinks: true, filter: isWanted });
      // Younger than what it was made from: otherwise make would want autoconf to make it again.
      await utimes(path.join(work, 'configure'), new Date(), new Date());
      await mkdir(unfinished, { mode: 0o755 });
      await chmod(unfinished, 0o755);
      await copyPostgres(pgConfig, unfinished);
      await compile(work, { pgConfig, root: unfinished, signal });
      await rename(unfinished, root);
    } finally {
      for (const folder of [work, unfinished]) await rm(folder, { recursive: true, force: true });
    }
  }
  const programs = await programsOf(built);
  if (programs === null) throw new Error(`The Citus in ${root} cannot be used. Delete the folder to build it again.`);
  return programs;
};
