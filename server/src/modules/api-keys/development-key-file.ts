// Keeps the development key: an API key with every right in `dev-key.json` of the data folder, so that the command-line
// tool needs no key on this machine. config/development-key.ts says when a server may have one; every other server
// revokes what is left of it before it listens.

import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { developmentKeyFile } from '../../config/reach.ts';
import type { Log } from '../../observability/logs.ts';
import type { DevelopmentKeys } from './development-keys.ts';
import type { KeyRef } from './key-cache.ts';

type Parts = { readonly dataDir: string; readonly keys: DevelopmentKeys; readonly log: Log };

type Content = { readonly url: string; readonly key: string; readonly marketplaceId: string };

type Kept = Partial<Content> & { readonly key: string; readonly isPrivate: boolean };

/** Null when there is none, or when it cannot be used: then a new one takes its place. */
const readKept = async (file: string): Promise<Kept | null> => {
  try {
    const content = JSON.parse(await readFile(file, 'utf8'));
    if (typeof content?.key !== 'string') return null;
    return { ...content, isPrivate: ((await stat(file)).mode & 0o077) === 0 };
  } catch {
    return null;
  }
};

/** Whole or not at all: another server or the command-line tool may read it at this moment. */
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
    // Otherwise every start would leave a key behind that nobody has.
    await keys.revoke(ref);
    throw error;
  });
};

type Keep = Parts & Omit<Content, 'key'>;

/**
 * Keeps the key of the last start if this database still accepts it, or makes a new one. Answers where it is; null when
 * it could not be kept, which is no reason not to start.
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
    log.info(`a development key for this machine was made: ${file}`);
    return file;
  } catch (error) {
    log.warn({ err: error }, `there is no development key, because ${file} could not be kept`);
    return null;
  }
};

/** To be called before the server listens, so that no request can use such a key. */
export const withdrawDevelopmentKeys = async ({ dataDir, keys, log, why }: Parts & { why: string }): Promise<void> => {
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
    (error) => log.warn({ err: error }, `${file} could not be removed; its key does not work any more`),
  );
};
