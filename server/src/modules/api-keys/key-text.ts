// The text of an API key: its marketplace, its id, and a secret of 32 random bytes. Only the hash of the secret is stored. A fast hash is
// enough, because 256 random bits cannot be guessed.

import { hash, randomBytes } from 'node:crypto';
import { ID_PREFIXES } from '@holdfast/contract/ids.ts';

export type KeyText = { readonly marketplaceId: string; readonly keyId: string; readonly secret: string };

const KEY_TEXT = /^hf_([A-Za-z0-9-]{1,40})_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{43})$/;

export const formatKeyText = ({ marketplaceId, keyId, secret }: KeyText): string =>
  `hf_${marketplaceId.slice(ID_PREFIXES.marketplace.length + 1)}_${keyId.slice(ID_PREFIXES.apiKey.length + 1)}_${secret}`;

/** Null when the text is not the text of a key. */
export const parseKeyText = (text: string): KeyText | null => {
  const match = KEY_TEXT.exec(text);
  if (!match) return null;
  return {
    marketplaceId: `${ID_PREFIXES.marketplace}_${match[1]}`,
    keyId: `${ID_PREFIXES.apiKey}_${match[2]}`,
    secret: match[3]!,
  };
};

/**
 * The digest of the text and not of the decoded bytes, so that exactly one text matches. In base 64, as it is stored: a new buffer would
 * take longer than the hash itself.
 */
export const digestSecret = (secret: string): string => hash('sha256', secret, 'base64');

export const digestOfHash = (stored: string): Buffer => Buffer.from(stored, 'base64');

/**
 * Identifies the secret of a key that was presented. It is written into tokens, so neither the secret nor the stored hash can be
 * computed from it.
 */
export const secretMark = (stored: string): string => hash('sha256', `mark:${stored}`, 'base64url').slice(0, 16);

/** A new secret that its owner has not received yet. Only a function returns the text, so that printing or storing the object cannot leak it. */
export type FreshSecret = { readonly hash: string; reveal(): string };

export const freshSecret = (): FreshSecret => {
  const secret = randomBytes(32).toString('base64url');
  return { hash: digestSecret(secret), reveal: () => secret };
};
