// Makes, finds and revokes development keys in the database, by the same commands as the API. It knows nothing of the
// file in which the text of the key is kept.

import { type Clock, formatInstant } from '../../base/instant.ts';
import type { Context, Submit } from '../../commit/command.ts';
import { createApiKey } from './create-api-key.ts';
import { DEVELOPMENT_KEY } from './development-key.ts';
import type { FindKey, KeyRef } from './key-cache.ts';
import { digestSecret, formatKeyText, freshSecret, parseKeyText } from './key-text.ts';
import { apiKeyStatus } from './machine.ts';
import { revokeApiKey } from './revoke-api-key.ts';

export type DevelopmentKeys = {
  make(marketplaceId: string): Promise<{ readonly text: string; readonly ref: KeyRef }>;
  /** Null unless the text is the current one of an active key with every right. */
  find(text: string): Promise<KeyRef | null>;
  /** All active ones of this database, also those whose file is lost. */
  listActive(): Promise<KeyRef[]>;
  /** Again changes nothing. */
  revoke(ref: KeyRef): Promise<void>;
};

type Parts = {
  readonly submit: Submit;
  readonly findKey: FindKey;
  readonly listActive: () => Promise<KeyRef[]>;
  readonly clock: Clock;
};

const contextOf = (marketplaceId: string): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'development-key' },
  requestId: 'development-key',
});

export const createDevelopmentKeys = ({ submit, findKey, listActive, clock }: Parts): DevelopmentKeys => ({
  async make(marketplaceId) {
    const secret = freshSecret();
    const input = { ...DEVELOPMENT_KEY, expiresAt: null, secret };
    const outcome = await submit({ command: createApiKey, input, context: contextOf(marketplaceId) });
    if (outcome.kind !== 'reply') throw new Error('a command without a guard was answered with a replay');
    const ref = { marketplaceId, keyId: outcome.reply.id };
    return { text: formatKeyText({ ...ref, secret: secret.reveal() }), ref };
  },

  async find(text) {
    const parsed = parseKeyText(text);
    if (parsed === null) return null;
    const { marketplaceId, keyId, secret } = parsed;
    const key = await findKey(marketplaceId, keyId);
    if (!key?.scopes.includes('*') || apiKeyStatus(key, formatInstant(clock())) !== 'ACTIVE') return null;
    // The secret before a rotation would stop working while the server runs.
    const isCurrent = digestSecret(secret).toString('base64') === key.secretHash;
    return isCurrent ? { marketplaceId, keyId } : null;
  },

  listActive,

  async revoke({ marketplaceId, keyId }) {
    const input = { id: keyId, presentedMark: null };
    await submit({ command: revokeApiKey, input, context: contextOf(marketplaceId) });
  },
});
