// Holds the key that seals all others. Here it is this process, with versioned key-encryption keys from the settings; a key management
// service would be another KeyKeeper. Data keys exist in the clear only while one secret is sealed or opened.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export type SealedDataKey = {
  /** The key-encryption key that sealed it. Letters, digits, `_ : / -` only: it becomes part of a stored text. */
  readonly keyId: string;
  readonly sealed: Buffer;
};

/** `bound` is what the data key belongs to: only the same value opens it. */
export type KeyKeeper = {
  /** The key that new seals use. */
  readonly currentKeyId: string;
  /** Whether it can open seals of that key. */
  has(keyId: string): boolean;
  seal(dataKey: Buffer, bound: Buffer): Promise<SealedDataKey>;
  open(sealed: SealedDataKey, bound: Buffer): Promise<Buffer>;
};

export type Kek = { readonly version: number; readonly key: Buffer };

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: a new nonce, the ciphertext, and the tag over both and over the bound value. */
export const gcmSeal = (key: Buffer, { plain, bound }: { plain: Buffer; bound: Buffer }): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(bound);
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
};

/** Throws when the key is another one, or the text or the bound value was changed. */
export const gcmOpen = (key: Buffer, { sealed, bound }: { sealed: Buffer; bound: Buffer }): Buffer => {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw new Error('a sealed text is too short');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(bound).setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
};

/** The first key seals, and all keys open. */
export const keepKeks = (keks: readonly Kek[]): KeyKeeper => {
  const byId = new Map(keks.map(({ version, key }) => [String(version), key]));
  const currentKeyId = keks[0] ? String(keks[0].version) : '';
  const keyOf = (keyId: string): Buffer => {
    const key = byId.get(keyId);
    if (!key) throw new Error(`the key-encryption key ${keyId} is missing: add it to WALLET_KEK behind the newest one`);
    return key;
  };
  return {
    currentKeyId,
    has: (keyId) => byId.has(keyId),
    seal: async (dataKey, bound) => ({
      keyId: currentKeyId,
      sealed: gcmSeal(keyOf(currentKeyId), { plain: dataKey, bound }),
    }),
    async open({ keyId, sealed }, bound) {
      const key = keyOf(keyId);
      try {
        return gcmOpen(key, { sealed, bound });
      } catch {
        throw new Error(
          `the key-encryption key ${keyId} does not open this: WALLET_KEK has another value under that version, or the row was changed`,
        );
      }
    },
  };
};
