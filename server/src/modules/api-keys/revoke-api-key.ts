// Revokes a key for good. Revoking it again changes nothing and returns the same answer.

import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import { type ApiKey, keyChanged } from './api-key.ts';
import { API_KEY_MACHINE, apiKeyStatus, requireCurrentSecret } from './machine.ts';

/** `presentedMark` is the mark of the caller's secret; null for the master key. */
type RevokeApiKeyInput = { readonly id: string; readonly presentedMark: string | null };

export const revokeApiKey = command<RevokeApiKeyInput, ApiKey>({
  name: 'revoke-api-key',
  needs: ({ id }) => ({ rows: [{ table: 'apiKeys', id }] }),
  decide({ id, presentedMark }, work) {
    const key = work.get('apiKeys', id);
    requireCurrentSecret(key, presentedMark);
    const from = apiKeyStatus(key, work.now);
    if (from === 'REVOKED') return key;
    const revoked: ApiKey = { ...key, revokedAt: work.now };
    work.put('apiKeys', revoked);
    work.audit({
      action: 'API_KEY_REVOKED',
      resourceType: 'ApiKey',
      resourceId: id,
      before: { status: from },
      after: { status: step(API_KEY_MACHINE, { from, on: 'revoke' }), revokedAt: work.now },
    });
    return revoked;
  },
  reactions: keyChanged,
});
