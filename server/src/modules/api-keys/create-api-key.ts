// Makes a key of one marketplace. It stores and records the hash-free facts and the hash; the secret passes it by.

import type { Scope } from '@holdfast/contract/scopes.ts';
import { Fault } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import type { ApiKey } from './api-key.ts';
import type { FreshSecret } from './key-text.ts';

export type CreateApiKeyInput = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly rateLimit: number | null;
  readonly secret: FreshSecret;
};

export const createApiKey = command<CreateApiKeyInput, ApiKey>({
  name: 'create-api-key',
  needs: () => ({}),
  decide({ name, scopes, expiresAt, rateLimit, secret }, desk) {
    if (expiresAt !== null && expiresAt <= desk.now) {
      throw new Fault('VALIDATION_ERROR', { details: { validationErrors: ['expiresAt must be in the future'] } });
    }
    const key: ApiKey = {
      id: desk.newId('apiKey'),
      name,
      scopes,
      secretHash: secret.hash,
      previousHash: null,
      previousExpiresAt: null,
      rateLimit,
      createdAt: desk.now,
      expiresAt,
      revokedAt: null,
    };
    desk.put('apiKeys', key);
    desk.audit({
      action: 'API_KEY_CREATED',
      resourceType: 'ApiKey',
      resourceId: key.id,
      after: { name, scopes, expiresAt, rateLimit },
    });
    return key;
  },
});
