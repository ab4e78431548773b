// The development key: an API key with every right, whose text is stored in `dev-key.json` of the data folder, so that the command-line
// tool needs no key on this machine. Keys are created and revoked with the same commands as in the API. config/reach.ts decides whether a
// server may have one; every other server revokes all development keys before it listens.

import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Scope } from '@holdfast/contract/scopes.ts';
import { type Clock, formatInstant } from '../../base/instant.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { developmentKeyFile } from '../../config/reach.ts';
import type { Log } from '../../observability/logs.ts';
import { createApiKey } from './create-api-key.ts';
import type { FindKey, KeyRef } from './key-cache.ts';
import { digestSecret, formatKeyText, freshSecret, parseKeyText } from './key-text.ts';
import { apiKeyStatus } from './machine.ts';
import { revokeApiKey } from './revoke-api-key.ts';

/**
 * The fields that identify a development key in a database whose key file is lost. The rate is for the tests and loops of a developer,
 * far above the rate of a marketplace.
 */
export const DEVELOPMENT_KEY: { readonly name: string; readonly scopes: readonly Scope[]; readonly rateLimit: number } =
  { name: 'development', scopes: ['*'], rateLimit: 1_000_000 };

export type DevelopmentKeys = {
  make(marketplaceId: string): Promise<{ readonly text: string; readonly ref: KeyRef }>;
  /** Null unless the text is the current one of an active key with every scope. */
  find(text: string): Promise<KeyRef | null>;
  /** All active development keys of this database, also those whose file is lost. */
  listActive(): Promise<KeyRef[]>;
  /** A second call changes nothing. */
  revoke(ref: KeyRef): Promise<void>;
};

type Parts = {
  readonly submit: Submit;
  readonly findKey: FindKey;
  readonly listActive: () => Promise<KeyRef[]>;
  readonly clock: Clock;
};

const contextOf = (marketplaceId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'development-key' },
  requestId: 'development-key',
});

export const createDevelopmentKeys = ({ submit, findKey, listActive, clock }: Parts): DevelopmentKeys => ({
  async make(marketplaceId) {
    const secret = freshSecret();
    const input = { ...DEVELOPMENT_KEY, expiresAt: null, secret };
    const created = await runCommand(submit, { command: createApiKey, input, context: contextOf(marketplaceId) });
    const ref = { marketplaceId, keyId: created.id };
    return { text: formatKeyText({ ...ref, secret: secret.reveal() }), ref };
  },

  async find(text) {
    const parsed = parseKeyText(text);
    if (parsed === null) return null;
    const { marketplaceId, keyId, secret } = parsed;
    const key = await findKey(marketplaceId, keyId);
    if (!key?.scopes.includes('*') || apiKeyStatus(key, formatInstant(clock())) !== 'ACTIVE') return null;
    // The previous secret of a rotated key would stop working while the server runs.
    const isCurrent = digestSecret(secret) === key.secretHash;
    return isCurrent ? { marketplaceId, keyId } : null;
  },

  listActive,

  async revoke({ marketplaceId, keyId }) {
    const input = { id: keyId, presentedMark: null };
    await submit({ command: revokeApiKey, input, context: contextOf(marketplaceId) });
  },
});

type FileParts = { readonly dataDir: string; readonly keys: DevelopmentKeys; readonly log: Log };

type Content = { readonly url: string; readonly key: string; readonly marketplaceId: string };

type Kept = Partial<Content> & { readonly key: string; readonly isPrivate: boolean };

/** Null when there is no file or it cannot be used. Then a new key replaces it. */
const readKept = async (file: string): Promise<Kept | null> => {
  try {
    const content = JSON.parse(await readFile(file, 'utf8'));
    if (typeof content?.key !== 'string') return null;
    return { ...content, isPrivate: ((await stat(file)).mode & 0o077) === 0 };
  } catch {
    return null;
  }
};

/** Replaces the file in one step, because another server or the command-line tool may read it at the same time. */
const write = async (file: string, content: Content): Promise<void> => {
  const draft = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
};

const replace = async (file: string, { keys, url, marketplaceId }: Keep): Promise<void> => {
  const { text, ref } = await keys.make(marketplaceId);
  await write(file, { url, key: text, marketplaceId }).catch(async (error) => {
    // Otherwise every start would leave an active key whose text is lost.
    await keys.revoke(ref);
    throw error;
  });
};

type Keep = FileParts & Omit<Content, 'key'>;

/**
 * Keeps the key of the last start if this database still accepts it, or creates a new one. Returns the path of the file; null when the
 * file could not be written. The server starts in any case.
 */
export const keepDevelopmentKey = async (keep: Keep): Promise<string | null> => {
  const { dataDir, keys, log, url, marketplaceId } = keep;
  const file = developmentKeyFile(dataDir);
  try {
    const kept = await readKept(file);
    const known = kept && (await keys.find(kept.key));
    if (kept?.isPrivate && known?.marketplaceId === marketplaceId) {
      const isCurrent = kept.url === url && kept.marketplaceId === marketplaceId;
      if (!isCurrent) await write(file, { url, key: kept.key, marketplaceId });
      return file;
    }
    if (kept && known && !kept.isPrivate) {
      await keys.revoke(known);
      log.warn({ keyId: known.keyId }, `other users could read ${file}: its development key was revoked and replaced`);
    }
    await replace(file, keep);
    log.info(`a development key for this machine was created: ${file}`);
    return file;
  } catch (error) {
    log.warn({ err: error }, `there is no development key, because ${file} could not be read or written`);
    return null;
  }
};

/** Must be called before the server listens, so that no request can use such a key. */
export const withdrawDevelopmentKeys = async ({
  dataDir,
  keys,
  log,
  why,
}: FileParts & { why: string }): Promise<void> => {
  const file = developmentKeyFile(dataDir);
  const kept = await readKept(file);
  const known = kept && (await keys.find(kept.key));
  const refs = new Map<string, KeyRef>((known ? [known] : []).map((ref) => [ref.keyId, ref]));
  for (const ref of await keys.listActive()) refs.set(ref.keyId, ref);
  for (const ref of refs.values()) {
    await keys.revoke(ref);
    log.warn(ref, `a development key was revoked, because ${why}`);
  }
  if ((await stat(file).catch(() => null)) === null) return;
  await rm(file).then(
    () => log.warn(`${file} was removed, because ${why}`),
    (error) => log.warn({ err: error }, `${file} could not be removed; its key is revoked and no longer works`),
  );
};
