// A key as the API shows it: field by field, so that no hash is ever shown, and the text of the key only when it is new.

import type { ApiKey } from './api-key.ts';
import { type FreshSecret, formatKeyText } from './key-text.ts';
import { apiKeyStatus } from './machine.ts';

type ShownKey = Pick<ApiKey, 'id' | 'name' | 'scopes' | 'rateLimit' | 'createdAt' | 'expiresAt' | 'revokedAt'>;

type At = { readonly marketplaceId: string; readonly now: string };

export const presentApiKey = (key: ShownKey, { marketplaceId, now }: At) => ({
  id: key.id,
  name: key.name,
  scopes: [...key.scopes],
  marketplaceId,
  status: apiKeyStatus(key, now),
  rateLimit: key.rateLimit,
  createdAt: key.createdAt,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
});

export const presentFreshKey = (key: ShownKey, at: At & { readonly secret: FreshSecret }) => {
  const text = formatKeyText({ marketplaceId: at.marketplaceId, keyId: key.id, secret: at.secret.reveal() });
  return { ...presentApiKey(key, at), key: text, api_key: text };
};
