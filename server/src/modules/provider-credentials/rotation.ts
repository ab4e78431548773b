// Reseals the secrets of provider credentials with the newest key-encryption key, through the committer and without opening a secret.
// It can be stopped and started again at any time.

import { command, type Submit } from '../../commit/command.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { requireSealKeys } from '../../ledger/keys/rotation.ts';
import { keyIdOf, resealSecret, sealedWith } from '../../ledger/keys/seal.ts';
import type { CredentialReads } from './queries.ts';

type Parts = {
  readonly credentials: Pick<CredentialReads, 'countBySeal' | 'listSealedOtherwise'>;
  readonly keeper: KeyKeeper;
  readonly submit: Submit;
};

/** Refuses when a key that is still needed is missing. Call it before the first change. */
export const requireCredentialKeys = async ({ credentials, keeper }: Omit<Parts, 'submit'>): Promise<void> =>
  requireSealKeys(await credentials.countBySeal(), { keeper, what: 'provider credentials' });

/** Returns how many were resealed. */
export const rotateCredentials = async ({ credentials, keeper, submit }: Parts): Promise<number> => {
  const old = (await credentials.countBySeal()).filter(({ keyId }) => keyId !== keeper.currentKeyId);
  let done = 0;
  for (const marketplaceId of new Set(old.map((one) => one.marketplaceId))) {
    const rows = await credentials.listSealedOtherwise(marketplaceId, sealedWith(keeper.currentKeyId));
    for (const { id, sealedSecrets: from } of rows) {
      const to = await resealSecret(keeper, { sealed: from, place: { marketplaceId, credentialsId: id } });
      const context = { marketplaceId, actor: { type: 'system', id: 'rotate-wallets' }, requestId: id } as const;
      const outcome = await submit({ command: resealCredentials, input: { id, from, to }, context });
      if (outcome.kind === 'reply' && outcome.reply) done += 1;
    }
  }
  return done;
};

type Resealed = { readonly id: string; readonly from: string; readonly to: string };

/** Returns false when another rotation was faster. */
const resealCredentials = command<Resealed, boolean>({
  name: 'reseal-provider-credentials',
  needs: ({ id }) => ({ rows: [{ table: 'providerCredentials', id }] }),
  decide({ id, from, to }, work) {
    const credentials = work.get('providerCredentials', id);
    if (credentials.sealedSecrets !== from) return false;
    work.put('providerCredentials', { ...credentials, sealedSecrets: to, updatedAt: work.now });
    work.audit({
      action: 'PROVIDER_CREDENTIALS_RESEALED',
      resourceType: 'ProviderCredentials',
      resourceId: id,
      before: { keyEncryptionKey: keyIdOf(from) },
      after: { keyEncryptionKey: keyIdOf(to) },
    });
    return true;
  },
});
