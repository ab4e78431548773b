// Loads the keys of this server from the settings or from the data folder, or generates them into the data folder. Files are only
// added and never changed or replaced: a lost key would lock out all callers, and two processes that start at once must use the
// same keys.

import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WalletKek } from './parsers.ts';
import { type Config, SETTINGS } from './settings.ts';

export type Secrets = {
  masterKey: string;
  jwtSecrets: readonly string[];
  // The first one encrypts the secrets of wallets, all of them decrypt.
  walletKeks: readonly WalletKek[];
  // Names of the secrets that this call generated, so that the master key can be shown once.
  created: readonly GeneratedName[];
  // Messages for the operator about problems that were found and repaired.
  notes: readonly string[];
};

type GeneratedName = 'MASTER_KEY' | 'JWT_SECRET' | 'WALLET_KEK';
type Values = Partial<Record<GeneratedName, string>>;

const MAKE: Record<GeneratedName, () => string> = {
  MASTER_KEY: () => `master_${randomBytes(32).toString('base64url')}`,
  JWT_SECRET: () => randomBytes(32).toString('base64url'),
  WALLET_KEK: () => `1:${randomBytes(32).toString('base64')}`,
};
const FILES_MAX = 100;

/** With `kekIsElsewhere` no WALLET_KEK is generated; one that exists is still loaded, because rows may need it. */
export async function loadSecrets(from: {
  dataDir: string;
  keys: Config['keys'];
  kekIsElsewhere?: boolean;
}): Promise<Secrets> {
  const { masterKey, jwtSecrets, walletKeks } = from.keys;
  const needed: GeneratedName[] = [];
  if (masterKey === null) needed.push('MASTER_KEY');
  if (jwtSecrets === null) needed.push('JWT_SECRET');
  if (walletKeks === null && !from.kekIsElsewhere) needed.push('WALLET_KEK');

  const dir = resolve(from.dataDir);
  const kept = await keepSecrets({ dir, needed });
  return {
    masterKey: masterKey ?? check('MASTER_KEY', SETTINGS.keys.masterKey.parser.read(kept.values.MASTER_KEY ?? '')),
    jwtSecrets: jwtSecrets ?? check('JWT_SECRET', SETTINGS.keys.jwtSecrets.parser.read(kept.values.JWT_SECRET ?? '')),
    walletKeks: walletKeks ?? (from.kekIsElsewhere ? await findKeptKeks(dir) : keksOf(kept.values)),
    created: kept.created,
    notes: kept.notes,
  };
}

const keksOf = ({ WALLET_KEK = '' }: Values): readonly WalletKek[] =>
  check('WALLET_KEK', SETTINGS.keys.walletKeks.parser.read(WALLET_KEK));

/** The keys in the data folder; none when it has none. Generates nothing. */
export async function findKeptKeks(dataDir: string): Promise<readonly WalletKek[]> {
  const dir = resolve(dataDir);
  for (let number = 1; number <= FILES_MAX; number++) {
    const values = await readSecretsFile({ path: secretsPath(dir, number), notes: [] });
    if (values === null) break;
    if (values.WALLET_KEK !== undefined) return keksOf(values);
  }
  return [];
}

const secretsPath = (dir: string, number: number): string =>
  join(dir, number === 1 ? 'secrets.json' : `secrets-${number}.json`);

// The database runs as another user in a subfolder, so other users may enter the data folder but not list it.
export async function openDataDir(dataDir: string): Promise<void> {
  const made = await mkdir(dataDir, { recursive: true });
  if (made !== undefined) await chmod(dataDir, 0o711);
}

// secrets.json, then secrets-2.json and so on: the first file with a name decides its value. A missing name is written to the next free
// file. If another process creates that file first, its content is used.
async function keepSecrets({ dir, needed }: { dir: string; needed: readonly GeneratedName[] }) {
  if (needed.length === 0) return { values: {} as Values, created: [], notes: [] };
  await openDataDir(dir);
  const notes: string[] = [];
  let values: Values = {};
  let created: GeneratedName[] = [];
  for (let number = 1; number <= FILES_MAX; number++) {
    const path = secretsPath(dir, number);
    let found = await readSecretsFile({ path, notes });
    const missing = needed.filter((name) => values[name] === undefined);
    if (found === null) {
      if (missing.length === 0) return { values, created, notes };
      found = Object.fromEntries(missing.map((name) => [name, MAKE[name]()])) as Values;
      if (await addFile({ dir, path, values: found })) created = missing;
      else found = (await readSecretsFile({ path, notes })) ?? {};
    }
    values = { ...found, ...values };
  }
  throw new Error(`${dir} holds more than ${FILES_MAX} secrets files: keep the ones in use and remove the others.`);
}

async function readSecretsFile({ path, notes }: { path: string; notes: string[] }): Promise<Values | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new Error(`${path} cannot be read (${error.code}): start the server as the user that owns it.`);
  });
  if (text === null) return null;
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & 0o077) !== 0) notes.push(await tighten({ path, mode }));
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Values;
  } catch {
    // Reported below without the parser's message, because that quotes the file.
  }
  throw new Error(
    `${path} is not a JSON object: restore it from a backup, or set ${Object.keys(MAKE).join(', ')} yourself.`,
  );
}

async function tighten({ path, mode }: { path: string; mode: number }): Promise<string> {
  const was = `${path} could be read by other users (mode ${mode.toString(8)})`;
  await chmod(path, 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${was} and cannot be closed to them (${error.code}): run chmod 600 on it as its owner.`);
  });
  return `${was}; it is now 600. If other people use this machine, replace the secrets in it.`;
}

// A link either creates the complete file or fails because the name exists. A rename would silently replace keys that another process
// has just started to use.
async function addFile({ dir, path, values }: { dir: string; path: string; values: Values }): Promise<boolean> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(values, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft);
    await syncFolder(dir);
  }
}

async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r');
  await folder.sync().finally(() => folder.close());
}

function check<T>(name: GeneratedName, value: T | undefined): T {
  const usable = Array.isArray(value) ? value.length > 0 : value !== undefined;
  if (usable) return value as T;
  throw new Error(
    `${name} in the data folder's secrets file is not usable: restore the file, or set ${name} yourself.`,
  );
}
