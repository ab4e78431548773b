// Parses the key-encryption keys of the wallets: `2:<base64>,1:<base64>`, the newest first. Each key has 32 random bytes and a version,
// because each row names the version that encrypted it.

import type { Parser } from './parsers.ts';

export type WalletKek = { readonly version: number; readonly key: Buffer };

const ITEM = /^([1-9]\d{0,8}):([A-Za-z0-9+/_-]{43}=?)$/;
const KEY_BYTES = 32;

export const walletKeks: Parser<readonly WalletKek[]> = {
  expects:
    'a comma-separated list of a version, a colon and 32 bytes in base64, the newest first, each version and each key once',
  read(text) {
    const keks = text.split(',').map((part) => readKek(part.trim()));
    if (keks.some((kek) => kek === null)) return undefined;
    const known = keks as WalletKek[];
    const versions = new Set(known.map(({ version }) => version));
    const keys = new Set(known.map(({ key }) => key.toString('hex')));
    return versions.size === known.length && keys.size === known.length ? known : undefined;
  },
};

const readKek = (text: string): WalletKek | null => {
  const [, version, base64] = ITEM.exec(text) ?? [];
  if (version === undefined || base64 === undefined) return null;
  const key = Buffer.from(base64, 'base64');
  return key.length === KEY_BYTES ? { version: Number(version), key } : null;
};
