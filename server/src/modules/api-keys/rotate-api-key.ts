// Gives a key a new secret. The secret before it works until the overlap ends; a secret before that one ends at once.

import { formatInstant, parseInstant } from '../../base/instant.ts';
import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { type ApiKey, keyChanged } from './api-key.ts';
import type { FreshSecret } from './key-text.ts';
import { API_KEY_MACHINE, apiKeyStatus, requireCurrentSecret } from './machine.ts';

type RotateApiKeyInput = {
  readonly id: string;
  readonly secret: FreshSecret;
  readonly overlapMs: number;
  /** The mark of the caller's secret; null for the master key. */
  readonly presentedMark: string | null;
};

type RotatedKey = ApiKey & { readonly previousExpiresAt: string };

export const rotateApiKey = command<RotateApiKeyInput, RotatedKey>({
  name: 'rotate-api-key',
  needs: ({ id }) => ({ rows: [{ table: 'apiKeys', id }] }),
  decide({ id, secret, overlapMs, presentedMark }, work) {
    const key = work.get('apiKeys', id);
    requireCurrentSecret(key, presentedMark);
    step(API_KEY_MACHINE, { from: apiKeyStatus(key, work.now), on: 'rotate' });
    const overlapEnds = formatInstant(parseInstant(work.now)! + overlapMs * 1_000);
    const previousExpiresAt = key.expiresAt !== null && key.expiresAt < overlapEnds ? key.expiresAt : overlapEnds;
    const rotated = { ...key, secretHash: secret.hash, previousHash: key.secretHash, previousExpiresAt };
    work.put('apiKeys', rotated);
    work.audit({
      action: 'API_KEY_ROTATED',
      resourceType: 'ApiKey',
      resourceId: id,
      after: { previousKeyExpiresAt: previousExpiresAt },
    });
    return rotated;
  },
  reactions: keyChanged,
});
