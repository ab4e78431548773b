// What can be done with a key in which state. Expiry is a fact of the clock, so the state is worked out and not stored.

import type { ApiKeyStatus } from '@holdfast/contract/api/keys.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Machine } from '../../base/machine.ts';
import type { ApiKey } from './api-key.ts';
import { secretMark } from './key-text.ts';

/** Making a token is using the key. */
export type ApiKeyTrigger = 'use' | 'rotate' | 'revoke';

export const API_KEY_MACHINE: Machine<ApiKeyStatus, ApiKeyTrigger> = {
  subject: 'the API key',
  rows: [
    { from: 'ACTIVE', on: 'use', to: 'ACTIVE' },
    { from: 'ACTIVE', on: 'rotate', to: 'ACTIVE' },
    { from: 'ACTIVE', on: 'revoke', to: 'REVOKED' },
    { from: 'EXPIRED', on: 'revoke', to: 'REVOKED' },
  ],
};

/** `now` as the instants of the key are: ISO text with microseconds in UTC. */
export const apiKeyStatus = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: string): ApiKeyStatus => {
  if (key.revokedAt !== null) return 'REVOKED';
  return key.expiresAt !== null && key.expiresAt <= now ? 'EXPIRED' : 'ACTIVE';
};

/**
 * Refuses whoever came with a secret that a rotation has replaced: during the overlap it still reads and writes, but if
 * it could rotate, revoke or make tokens, a leaked secret could take the key over. Null: the master key asks.
 */
export const requireCurrentSecret = (key: ApiKey, presentedMark: string | null): void => {
  if (presentedMark === null || presentedMark === secretMark(key.secretHash)) return;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: 'This secret was replaced when the key was rotated. Use the new key.',
    details: { requiredScope: 'master', scopes: key.scopes },
  });
};
