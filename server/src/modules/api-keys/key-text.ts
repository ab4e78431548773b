// The text of an API key: where it belongs, its id, and a secret of 32 random bytes. Only the secret's hash is ever
// stored; 256 random bits need no slow hash, because nobody can try them all.

import { hash, randomBytes } from 'node:crypto';
import { ID_PREFIXES } from '@holdfast/contract/ids.ts';

export type KeyText = { readonly marketplaceId: string; readonly keyId: string; readonly secret: string };

const KEY_TEXT = /^hf_([A-Za-z0-9-]{1,40})_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{43})$/;

export const formatKeyText = ({ marketplaceId, keyId, secret }: KeyText): string =>
  `hf_${marketplaceId.slice(ID_PREFIXES.marketplace.length + 1)}_${keyId.slice(ID_PREFIXES.apiKey.length + 1)}_${secret}`;

/** Null when it is not the text of a key. */
export const parseKeyText = (text: string): KeyText | null => {
  const match = KEY_TEXT.exec(text);
  if (!match) return null;
  return {
    marketplaceId: `${ID_PREFIXES.marketplace}_${match[1]}`,
    keyId: `${ID_PREFIXES.apiKey}_${match[2]}`,
    secret: match[3]!,
  };
};

/** Of the text and not of the bytes it spells, so that exactly one text fits. */
export const digestSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

export const digestOfHash = (stored: string): Buffer => Buffer.from(stored, 'base64');

/**
 * Which secret of a key somebody came with. It goes into tokens, so it tells nothing: neither the secret nor the stored
 * hash can be found from it.
 */
export const secretMark = (stored: string): string => hash('sha256', `mark:${stored}`, 'base64url').slice(0, 16);

/** A secret on its way to its owner. The text is behind a function, so that printing or storing the object loses it. */
export type FreshSecret = { readonly hash: string; reveal(): string };

export const freshSecret = (): FreshSecret => {
  const secret = randomBytes(32).toString('base64url');
  return { hash: digestSecret(secret).toString('base64'), reveal: () => secret };
};
