// Creates a key of one marketplace. It stores the hash of the secret and never the secret; the audit entry contains neither.

import type { Scope } from '@holdfast/contract/scopes.ts';
import { DomainError } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import type { ApiKey } from './api-key.ts';
import type { FreshSecret } from './key-text.ts';

export type CreateApiKeyInput = {
  /** Only when the id is known already, because the text of the key was shown before the key exists. */
  readonly id?: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly rateLimit: number | null;
  readonly secret: FreshSecret;
};

export const createApiKey = command<CreateApiKeyInput, ApiKey>({
  name: 'create-api-key',
  needs: () => ({}),
  decide({ id, name, scopes, expiresAt, rateLimit, secret }, work) {
    if (expiresAt !== null && expiresAt <= work.now) {
      throw new DomainError('VALIDATION_ERROR', { details: { validationErrors: ['expiresAt must be in the future'] } });
    }
    const key: ApiKey = {
      id: id ?? work.newId('apiKey'),
      name,
      scopes,
      secretHash: secret.hash,
      previousHash: null,
      previousExpiresAt: null,
      rateLimit,
      createdAt: work.now,
      expiresAt,
      revokedAt: null,
    };
    work.put('apiKeys', key);
    work.audit({
      action: 'API_KEY_CREATED',
      resourceType: 'ApiKey',
      resourceId: key.id,
      after: { name, scopes, expiresAt, rateLimit },
    });
    return key;
  },
});
