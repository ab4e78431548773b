// Stored addresses and keys: the profile that `login` saved for this person, and the development key that a server with the
// sandbox writes into its data folder. Only the owner can read the two files.

import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';

export type Profile = { readonly url: string; readonly key: string; readonly marketplaceId?: string };

/** The folder that has the code of all parts: the checkout, or the installed package, whose code is JavaScript. */
export const CODE_FOLDER: string = resolve(import.meta.dirname, '../..');
export const CODE_EXTENSION: string = extname(import.meta.filename);

/** Where a server runs and keeps `.data`: the checkout. An installed package stores nothing in itself and uses the current folder. */
export const HOME_FOLDER: string = CODE_EXTENSION === '.ts' ? CODE_FOLDER : process.cwd();

/** The same rule as the server's: without DATA_DIR both use the same folder. */
export const dataFolder = (env: NodeJS.ProcessEnv): string =>
  resolve(env.DATA_DIR?.trim() || join(HOME_FOLDER, '.data'));

/** Only the server writes this file. */
export const devKeyFile = (folder: string): string => join(folder, 'dev-key.json');

export const loginFile = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'holdfast', 'profile.json');

/** The folder of files that need no backup, such as the checkpoints of forwarded events. */
export const stateFolder = (env: NodeJS.ProcessEnv): string =>
  join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'holdfast');

/** Null when the file does not exist. Throws when it cannot be read or was not written by this CLI. */
export const readJson = async (file: string): Promise<Record<string, unknown> | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error(`${file} does not contain a JSON object`);
};

/** Null when the file does not exist or is broken, for callers that have another source. */
const readIfWhole = (file: string): Promise<Record<string, unknown> | null> => readJson(file).catch(() => null);

/** Writes the whole file or nothing. Only the owner can read the file, from the first byte on. */
export const writePrivate = async (file: string, value: unknown): Promise<void> => {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  await rename(draft, file);
};

export const readProfile = async (file: string): Promise<Profile | null> => {
  const value = await readIfWhole(file);
  if (typeof value?.url !== 'string' || typeof value.key !== 'string') return null;
  return {
    url: value.url,
    key: value.key,
    ...(typeof value.marketplaceId === 'string' ? { marketplaceId: value.marketplaceId } : {}),
  };
};

export const forget = (file: string): Promise<void> => rm(file, { force: true });

/** The master key that a server generated in its data folder; null when MASTER_KEY was set. */
export const keptMasterKey = async (folder: string): Promise<string | null> => {
  for (let number = 1; ; number++) {
    const value = await readIfWhole(join(folder, number === 1 ? 'secrets.json' : `secrets-${number}.json`));
    if (value === null) return null;
    if (typeof value.MASTER_KEY === 'string') return value.MASTER_KEY;
  }
};
