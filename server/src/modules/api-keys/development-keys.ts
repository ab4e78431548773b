// Creates, finds and revokes development keys in the database, with the same commands as the API. It does not know the file that
// stores the text of the key.

import type { Scope } from '@holdfast/contract/scopes.ts';
import { type Clock, formatInstant } from '../../base/instant.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { createApiKey } from './create-api-key.ts';
import type { FindKey, KeyRef } from './key-cache.ts';
import { digestSecret, formatKeyText, freshSecret, parseKeyText } from './key-text.ts';
import { apiKeyStatus } from './machine.ts';
import { revokeApiKey } from './revoke-api-key.ts';

/**
 * The fields that identify a development key in a database whose key file is lost. The rate is for the tests and loops of a developer,
 * far above the rate of a marketplace.
 */
export const DEVELOPMENT_KEY: { readonly name: string; readonly scopes: readonly Scope[]; readonly rateLimit: number } =
  { name: 'development', scopes: ['*'], rateLimit: 1_000_000 };

export type DevelopmentKeys = {
  make(marketplaceId: string): Promise<{ readonly text: string; readonly ref: KeyRef }>;
  /** Null unless the text is the current one of an active key with every scope. */
  find(text: string): Promise<KeyRef | null>;
  /** All active development keys of this database, also those whose file is lost. */
  listActive(): Promise<KeyRef[]>;
  /** A second call changes nothing. */
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
    const created = await runCommand(submit, { command: createApiKey, input, context: contextOf(marketplaceId) });
    const ref = { marketplaceId, keyId: created.id };
    return { text: formatKeyText({ ...ref, secret: secret.reveal() }), ref };
  },

  async find(text) {
    const parsed = parseKeyText(text);
    if (parsed === null) return null;
    const { marketplaceId, keyId, secret } = parsed;
    const key = await findKey(marketplaceId, keyId);
    if (!key?.scopes.includes('*') || apiKeyStatus(key, formatInstant(clock())) !== 'ACTIVE') return null;
    // The previous secret of a rotated key would stop working while the server runs.
    const isCurrent = digestSecret(secret).toString('base64') === key.secretHash;
    return isCurrent ? { marketplaceId, keyId } : null;
  },

  listActive,

  async revoke({ marketplaceId, keyId }) {
    const input = { id: keyId, presentedMark: null };
    await submit({ command: revokeApiKey, input, context: contextOf(marketplaceId) });
  },
});
