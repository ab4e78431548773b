// Only the master key may choose a marketplace; the server ignores the choice of every other key. The CLI refuses it before it
// sends anything, so that no money moves in another marketplace than the one that was named.

import { wrongUsage } from './failures.ts';
import type { Settings } from './settings.ts';

const KEY_TEXT = /^hf_([A-Za-z0-9-]{1,40})_[0-9A-HJKMNP-TV-Z]{26}_[A-Za-z0-9_-]{43}$/;
const TOKEN_TEXT = /^[\w-]+\.([\w-]+)\.[\w-]+$/;

/** The marketplace that a token names. Not verified: only the server can do that. */
const marketplaceOfToken = (text: string): string | null => {
  const [, payload] = TOKEN_TEXT.exec(text) ?? [];
  if (payload === undefined) return null;
  try {
    const { mkt } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as { mkt?: unknown };
    return typeof mkt === 'string' ? mkt : null;
  } catch {
    return null;
  }
};

/** The marketplace in the text of an API key or a token. Null for the master key, which has none. */
const marketplaceOfKey = (text: string): string | null => {
  const [, name] = KEY_TEXT.exec(text) ?? [];
  return name === undefined ? marketplaceOfToken(text) : `mkt_${name}`;
};

export const checkMarketplace = ({ key, marketplaceId, from }: Settings): void => {
  const own = key === null ? null : marketplaceOfKey(key.trim());
  if (own === null || marketplaceId === null || own === marketplaceId) return;
  const choice = `${from.marketplace}${from.marketplace.startsWith('--') ? ' ' : '='}${marketplaceId}`;
  throw wrongUsage(
    `\`${choice}\` needs the master key. This key belongs to ${own}. Give the master key with \`--key\`, or a key of ${marketplaceId}.`,
  );
};
