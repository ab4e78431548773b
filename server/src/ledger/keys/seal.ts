// A wallet's secret at rest: sealed with a data key of its own, which is sealed by the key keeper. Both seals are bound to
// the marketplace, the wallet and its address, so a sealed secret is worth nothing in another row. Nothing here logs.

import { randomBytes } from 'node:crypto';
import { gcmOpen, gcmSeal, type KeyKeeper, type SealedDataKey } from './key-keeper.ts';

/** Where a secret belongs. */
export type SealPlace = { readonly marketplaceId: string; readonly walletId: string; readonly address: string };

type Parts = { readonly dataKey: SealedDataKey; readonly secret: Buffer };

const FORM = 'v1';
const DATA_KEY_BYTES = 32;
const KEY_ID = /^[\w:/-]{1,200}$/;

/** The beginning of everything that this key sealed; the store finds by it what is still to be rotated. */
export const sealedWith = (keyId: string): string => `${FORM}.${keyId}.`;

const write = ({ dataKey, secret }: Parts): string => {
  if (!KEY_ID.test(dataKey.keyId))
    throw new Error('the id of a key-encryption key has a character that cannot be kept');
  return `${sealedWith(dataKey.keyId)}${dataKey.sealed.toString('base64url')}.${secret.toString('base64url')}`;
};

const read = (text: string): Parts => {
  const [form, keyId, dataKey, secret, ...rest] = text.split('.');
  if (form !== FORM || !keyId || !dataKey || !secret || rest.length > 0) {
    throw new Error('a sealed secret is not in a form that is known here');
  }
  const bytes = (part: string) => Buffer.from(part, 'base64url');
  return { dataKey: { keyId, sealed: bytes(dataKey) }, secret: bytes(secret) };
};

const bound = (what: 'data-key' | 'secret', { marketplaceId, walletId, address }: SealPlace): Buffer =>
  Buffer.from(JSON.stringify(['holdfast', FORM, what, marketplaceId, walletId, address]));

export const sealSecret = async (keeper: KeyKeeper, of: { secret: Buffer; place: SealPlace }): Promise<string> => {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    const secret = gcmSeal(dataKey, { plain: of.secret, bound: bound('secret', of.place) });
    return write({ dataKey: await keeper.seal(dataKey, bound('data-key', of.place)), secret });
  } finally {
    dataKey.fill(0);
  }
};

/** The caller wipes what it gets when it has used it. */
export const openSecret = async (keeper: KeyKeeper, of: { sealed: string; place: SealPlace }): Promise<Buffer> => {
  const { dataKey: sealedKey, secret } = read(of.sealed);
  const dataKey = await keeper.open(sealedKey, bound('data-key', of.place));
  try {
    return gcmOpen(dataKey, { sealed: secret, bound: bound('secret', of.place) });
  } finally {
    dataKey.fill(0);
  }
};

/** Seals only the data key anew; the secret itself is neither opened nor changed. */
export const resealSecret = async (keeper: KeyKeeper, of: { sealed: string; place: SealPlace }): Promise<string> => {
  const { dataKey: sealedKey, secret } = read(of.sealed);
  const dataKey = await keeper.open(sealedKey, bound('data-key', of.place));
  try {
    return write({ dataKey: await keeper.seal(dataKey, bound('data-key', of.place)), secret });
  } finally {
    dataKey.fill(0);
  }
};

export const keyIdOf = (sealed: string): string => read(sealed).dataKey.keyId;
