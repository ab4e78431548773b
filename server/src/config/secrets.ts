// Finds the keys of this server: from the settings, else from the data folder, else made now and kept there. Files are
// only ever added, never rewritten or replaced: a lost key locks everybody out, and two processes that start at once
// must end up with the same keys.

import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readFile, stat, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { WalletKek } from './kek-parser.ts';
import { type Config, SETTINGS } from './settings.ts';

export type Secrets = {
  masterKey: string;
  jwtSecrets: readonly string[];
  // The first seals the secrets of wallets, all of them open.
  walletKeks: readonly WalletKek[];
  // Names of the secrets this very call made, so that the master key can be shown once.
  created: readonly GeneratedName[];
  // Sentences for the operator about what was found and put right.
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

export async function loadSecrets(from: { dataDir: string; keys: Config['keys'] }): Promise<Secrets> {
  const { masterKey, jwtSecrets, walletKeks } = from.keys;
  const needed: GeneratedName[] = [];
  if (masterKey === null) needed.push('MASTER_KEY');
  if (jwtSecrets === null) needed.push('JWT_SECRET');
  if (walletKeks === null) needed.push('WALLET_KEK');

  const kept = await keepSecrets({ dir: resolve(from.dataDir), needed });
  return {
    masterKey: masterKey ?? check('MASTER_KEY', SETTINGS.keys.masterKey.parser.read(kept.values.MASTER_KEY ?? '')),
    jwtSecrets: jwtSecrets ?? check('JWT_SECRET', SETTINGS.keys.jwtSecrets.parser.read(kept.values.JWT_SECRET ?? '')),
    walletKeks: walletKeks ?? check('WALLET_KEK', SETTINGS.keys.walletKeks.parser.read(kept.values.WALLET_KEK ?? '')),
    created: kept.created,
    notes: kept.notes,
  };
}

// The database runs as another user in a folder below, so others may pass through the data folder but not list it.
export async function openDataDir(dataDir: string): Promise<void> {
  const made = await mkdir(dataDir, { recursive: true });
  if (made !== undefined) await chmod(dataDir, 0o711);
}

// secrets.json, then secrets-2.json and so on: the first file that has a name decides it. A name that no file has goes
// into the next free file; if somebody else took that file meanwhile, everything is read again.
async function keepSecrets({ dir, needed }: { dir: string; needed: readonly GeneratedName[] }) {
  if (needed.length === 0) return { values: {} as Values, created: [], notes: [] };
  await openDataDir(dir);
  const notes: string[] = [];
  let values: Values = {};
  let created: GeneratedName[] = [];
  for (let number = 1; number <= FILES_MAX; number++) {
    const path = join(dir, number === 1 ? 'secrets.json' : `secrets-${number}.json`);
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
    // Said below, without the parser's message: it quotes the file.
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
  return `${was}; it is now 600. If anybody else uses this machine, replace the secrets in it.`;
}

// Linking a finished file under its name either gives it whole and durable or finds the name taken; renaming would
// silently replace the keys another process has just begun to use.
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
