// What holds the key that seals all others, and the cipher of data keys and secrets. The keys themselves are in key-ring.ts. Data keys
// exist in the clear only while one secret is sealed or opened.

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
