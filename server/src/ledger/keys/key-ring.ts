// The key-encryption keys of this process. They come from one source, can be read again while the process runs, and one of them seals.
// The other ones only open. Nothing here logs a key.

import { gcmOpen, gcmSeal, type Kek, type KeyKeeper } from './key-keeper.ts';

/** A key-encryption key that this process can use. It may be in a token that never gives it away. */
export type HeldKey = {
  readonly keyId: string;
  seal(dataKey: Buffer, bound: Buffer): Promise<Buffer>;
  /** Throws when the key is another one, or the text or the bound value was changed. */
  open(sealed: Buffer, bound: Buffer): Promise<Buffer>;
};

export type KeySource = {
  /** The setting that an operator changes to add or remove a key. */
  readonly setting: string;
  /** Reads all keys, the newest first. */
  load(): Promise<readonly HeldKey[]>;
  close?(): Promise<void>;
};

export type KeyRing = KeyKeeper & {
  readonly setting: string;
  /** The newest first. */
  readonly keyIds: readonly string[];
  /** This key seals from now on. */
  sealWith(keyId: string): void;
  /** Seals with a key that does not have to be the current one. */
  sealBy(keyId: string, of: { plain: Buffer; bound: Buffer }): Promise<Buffer>;
  /** Reads the source again. When that fails, or the key that seals is gone, the keys stay as they are. */
  refresh(): Promise<void>;
  close(): Promise<void>;
};

/** A missing key is looked for again after this time at the earliest: each time may start a program. */
const LOOK_AGAIN_MS = 10_000;

/** A key-encryption key in the memory of this process. */
export const heldKek = ({ version, key }: Kek): HeldKey => ({
  keyId: String(version),
  seal: async (dataKey, bound) => gcmSeal(key, { plain: dataKey, bound }),
  open: async (sealed, bound) => gcmOpen(key, { sealed, bound }),
});

/** The keys of the settings, which do not change while the process runs. */
export const settingsSource = (keks: readonly Kek[]): KeySource => ({
  setting: 'WALLET_KEK',
  load: async () => keks.map(heldKek),
});

const indexOf = (keys: readonly HeldKey[], setting: string): ReadonlyMap<string, HeldKey> => {
  if (keys.length === 0) throw new Error(`${setting} has no key-encryption key: add one.`);
  return new Map(keys.map((key) => [key.keyId, key]));
};

type RingParts = { readonly source: KeySource; readonly keys: readonly HeldKey[]; nowMs?(): number };

const ringOf = ({ source, keys: first, nowMs = () => performance.now() }: RingParts): KeyRing => {
  const { setting } = source;
  let keys = indexOf(first, setting);
  let currentKeyId = first[0]!.keyId;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;

  const readAgain = async (): Promise<void> => {
    const found = indexOf(await source.load(), setting);
    if (!found.has(currentKeyId)) {
      throw new Error(`${setting} lacks the key-encryption key ${currentKeyId}, which seals: add it again.`);
    }
    keys = found;
  };
  const refresh = (): Promise<void> => {
    refreshing ??= readAgain().finally(() => {
      refreshing = null;
      lookedAt = nowMs();
    });
    return refreshing;
  };
  const find = async (keyId: string): Promise<HeldKey> => {
    if (!keys.has(keyId) && nowMs() - lookedAt >= LOOK_AGAIN_MS) await refresh().catch(() => {});
    const key = keys.get(keyId);
    if (!key) {
      throw new Error(
        `the key-encryption key ${keyId} is missing: add it to ${setting} behind the newest one, or set WALLET_KEK_SOURCE to the source that has it`,
      );
    }
    return key;
  };

  return {
    setting,
    get currentKeyId() {
      return currentKeyId;
    },
    get keyIds() {
      return [...keys.keys()];
    },
    has: (keyId) => keys.has(keyId),
    sealWith(keyId) {
      if (!keys.has(keyId)) throw new Error(`the key-encryption key ${keyId} is not in ${setting}`);
      currentKeyId = keyId;
    },
    sealBy: async (keyId, { plain, bound }) => (await find(keyId)).seal(plain, bound),
    async seal(dataKey, bound) {
      const keyId = currentKeyId;
      return { keyId, sealed: await (await find(keyId)).seal(dataKey, bound) };
    },
    async open({ keyId, sealed }, bound) {
      const key = await find(keyId);
      try {
        return await key.open(sealed, bound);
      } catch (error) {
        if (error instanceof TokenFailure) throw error;
        throw new Error(
          `the key-encryption key ${keyId} does not open this: ${setting} has another value under that version, or the row was changed`,
        );
      }
    },
    refresh,
    close: async () => source.close?.(),
  };
};

/** The token did not answer. That says nothing about the key or the row. */
export class TokenFailure extends Error {}

/** A source that has no keys is closed again. */
export const openKeyRing = async (source: KeySource): Promise<KeyRing> => {
  try {
    return ringOf({ source, keys: await source.load() });
  } catch (error) {
    await source.close?.();
    throw error;
  }
};

/** The first key seals, and all keys open. */
export const keepKeks = (keks: readonly Kek[]): KeyRing =>
  ringOf({ source: settingsSource(keks), keys: keks.map(heldKek) });
