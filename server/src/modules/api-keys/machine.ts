// The states of a key and what each allows. A key expires by the clock, so the state is computed and not stored.

import type { ApiKeyStatus } from '@holdfast/contract/api/keys.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Machine } from '../../base/machine.ts';
import type { ApiKey } from './api-key.ts';
import { secretMark } from './key-text.ts';

/** Issuing a token is a use of the key. */
type ApiKeyTrigger = 'use' | 'rotate' | 'revoke';

export const API_KEY_MACHINE: Machine<ApiKeyStatus, ApiKeyTrigger> = {
  subject: 'the API key',
  rows: [
    { from: 'ACTIVE', on: 'use', to: 'ACTIVE' },
    { from: 'ACTIVE', on: 'rotate', to: 'ACTIVE' },
    { from: 'ACTIVE', on: 'revoke', to: 'REVOKED' },
    { from: 'EXPIRED', on: 'revoke', to: 'REVOKED' },
  ],
};

/** `now` has the format of the key's instants: ISO text with microseconds in UTC. */
export const apiKeyStatus = (key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>, now: string): ApiKeyStatus => {
  if (key.revokedAt !== null) return 'REVOKED';
  return key.expiresAt !== null && key.expiresAt <= now ? 'EXPIRED' : 'ACTIVE';
};

/**
 * Refuses a caller whose secret a rotation has replaced. During the overlap this secret still reads and writes. If it could also rotate,
 * revoke or issue tokens, a thief with a leaked secret could take the key over. `presentedMark` is null for the master key.
 */
export const requireCurrentSecret = (key: ApiKey, presentedMark: string | null): void => {
  if (presentedMark === null || presentedMark === secretMark(key.secretHash)) return;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: 'This secret was replaced when the key was rotated. Use the new key.',
    details: { requiredScope: 'master', scopes: key.scopes },
  });
};
