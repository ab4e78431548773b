// A secret at rest, of a wallet, of an account at a provider, of a webhook endpoint or of an operator: sealed with its own data key, which the key keeper seals. Both seals
// are bound to the marketplace and the row, so a sealed secret cannot be opened in another row. Nothing here logs.

import { randomBytes } from 'node:crypto';
import { gcmOpen, gcmSeal, type KeyKeeper, type SealedDataKey } from './key-keeper.ts';

/** The row that a secret belongs to. */
type SealPlace = WalletPlace | CredentialsPlace | WebhookEndpointPlace | OperatorPlace;

type WalletPlace = { readonly marketplaceId: string; readonly walletId: string; readonly address: string };

type CredentialsPlace = { readonly marketplaceId: string; readonly credentialsId: string };

type WebhookEndpointPlace = { readonly marketplaceId: string; readonly webhookEndpointId: string };

type OperatorPlace = { readonly marketplaceId: string; readonly operatorId: string };

type Parts = { readonly dataKey: SealedDataKey; readonly secret: Buffer };

const FORM = 'v1';
const DATA_KEY_BYTES = 32;
const KEY_ID = /^[\w:/-]{1,200}$/;

/** The prefix of everything that this key sealed. The rotation finds the other secrets by it. */
export const sealedWith = (keyId: string): string => `${FORM}.${keyId}.`;

const write = ({ dataKey, secret }: Parts): string => {
  if (!KEY_ID.test(dataKey.keyId))
    throw new Error('the id of a key-encryption key has a character that cannot be stored');
  return `${sealedWith(dataKey.keyId)}${dataKey.sealed.toString('base64url')}.${secret.toString('base64url')}`;
};

const read = (text: string): Parts => {
  const [form, keyId, dataKey, secret, ...rest] = text.split('.');
  if (form !== FORM || !keyId || !dataKey || !secret || rest.length > 0) {
    throw new Error('the form of a sealed secret is unknown');
  }
  const bytes = (part: string) => Buffer.from(part, 'base64url');
  return { dataKey: { keyId, sealed: bytes(dataKey) }, secret: bytes(secret) };
};

const rowOf = (place: SealPlace): string[] => {
  if ('walletId' in place) return [place.walletId, place.address];
  if ('webhookEndpointId' in place) return ['webhook-endpoint', place.webhookEndpointId];
  if ('operatorId' in place) return ['operator', place.operatorId];
  return ['provider-credentials', place.credentialsId];
};

const bound = (what: 'data-key' | 'secret', place: SealPlace): Buffer =>
  Buffer.from(JSON.stringify(['holdfast', FORM, what, place.marketplaceId, ...rowOf(place)]));

export const sealSecret = async (keeper: KeyKeeper, of: { secret: Buffer; place: SealPlace }): Promise<string> => {
  const dataKey = randomBytes(DATA_KEY_BYTES);
  try {
    const secret = gcmSeal(dataKey, { plain: of.secret, bound: bound('secret', of.place) });
    return write({ dataKey: await keeper.seal(dataKey, bound('data-key', of.place)), secret });
  } finally {
    dataKey.fill(0);
  }
};

/** The caller must wipe the returned secret after use. */
export const openSecret = async (keeper: KeyKeeper, of: { sealed: string; place: SealPlace }): Promise<Buffer> => {
  const { dataKey: sealedKey, secret } = read(of.sealed);
  const dataKey = await keeper.open(sealedKey, bound('data-key', of.place));
  try {
    return gcmOpen(dataKey, { sealed: secret, bound: bound('secret', of.place) });
  } finally {
    dataKey.fill(0);
  }
};

/** Reseals only the data key; the secret itself is neither opened nor changed. */
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
