// Records that a token was issued, and refuses when its key can no longer be used. The token itself is not stored: its signature makes
// it valid, and it ends with its key.

import type { Scope } from '@holdfast/contract/scopes.ts';
import { step } from '../../base/machine.ts';
import { command } from '../../commit/command.ts';
import type { ApiKey } from './api-key.ts';
import { API_KEY_MACHINE, apiKeyStatus, requireCurrentSecret } from './machine.ts';

export type SignedToken = {
  readonly token: string;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string;
};

export type IssueTokenInput = {
  readonly id: string;
  readonly signed: SignedToken;
  /** The mark of the caller's secret; null for the master key. */
  readonly presentedMark: string | null;
};

export const issueToken = command<IssueTokenInput, ApiKey>({
  name: 'issue-token',
  needs: ({ id }) => ({ rows: [{ table: 'apiKeys', id }] }),
  decide({ id, signed, presentedMark }, work) {
    const key = work.get('apiKeys', id);
    requireCurrentSecret(key, presentedMark);
    step(API_KEY_MACHINE, { from: apiKeyStatus(key, work.now), on: 'use' });
    const { tokenId, scopes, expiresAt } = signed;
    work.audit({
      action: 'API_TOKEN_ISSUED',
      resourceType: 'ApiKey',
      resourceId: id,
      after: { tokenId, scopes, expiresAt },
    });
    return key;
  },
});
