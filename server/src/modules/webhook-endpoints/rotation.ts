// Reseals the secrets of webhook endpoints with the newest key-encryption key, through the committer and without opening a secret. It can be
// stopped and started again at any time.

import { command, type Submit } from '../../commit/command.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { requireSealKeys } from '../../ledger/keys/rotation.ts';
import { keyIdOf, resealSecret, sealedWith } from '../../ledger/keys/seal.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import type { EndpointReads } from './queries.ts';

type Parts = {
  readonly endpoints: Pick<EndpointReads, 'countBySeal' | 'listSealedOtherwise'>;
  readonly keeper: KeyKeeper;
  readonly submit: Submit;
};

/** Refuses when a key that is still needed is missing. Call it before the first change. */
export const requireEndpointKeys = async ({ endpoints, keeper }: Omit<Parts, 'submit'>): Promise<void> =>
  requireSealKeys(await endpoints.countBySeal(), { keeper, what: 'secrets of webhook endpoints' });

type Seals = Pick<WebhookEndpoint, 'sealedSecret' | 'previousSealedSecret'>;

/** Returns how many endpoints were resealed. */
export const rotateEndpointSecrets = async ({ endpoints, keeper, submit }: Parts): Promise<number> => {
  const old = (await endpoints.countBySeal()).filter(({ keyId }) => keyId !== keeper.currentKeyId);
  let done = 0;
  for (const marketplaceId of new Set(old.map((one) => one.marketplaceId))) {
    for (const endpoint of await endpoints.listSealedOtherwise(marketplaceId, sealedWith(keeper.currentKeyId))) {
      const { id, sealedSecret, previousSealedSecret } = endpoint;
      const place = { marketplaceId, webhookEndpointId: id };
      const reseal = (sealed: string) => resealSecret(keeper, { sealed, place });
      const to: Seals = {
        sealedSecret: await reseal(sealedSecret),
        previousSealedSecret: previousSealedSecret === null ? null : await reseal(previousSealedSecret),
      };
      const context = { marketplaceId, actor: { type: 'system', id: 'rotate-wallets' }, requestId: id } as const;
      const input = { id, from: { sealedSecret, previousSealedSecret }, to };
      const outcome = await submit({ command: resealEndpoint, input, context });
      if (outcome.kind === 'reply' && outcome.reply) done += 1;
    }
  }
  return done;
};

type Resealed = { readonly id: string; readonly from: Seals; readonly to: Seals };

/** Returns false when another change was faster. */
const resealEndpoint = command<Resealed, boolean>({
  name: 'reseal-webhook-secrets',
  needs: ({ id }) => ({ rows: [{ table: 'webhookEndpoints', id }] }),
  decide({ id, from, to }, work) {
    const endpoint = work.get('webhookEndpoints', id);
    const { sealedSecret, previousSealedSecret } = endpoint;
    if (sealedSecret !== from.sealedSecret || previousSealedSecret !== from.previousSealedSecret) return false;
    work.put('webhookEndpoints', { ...endpoint, ...to });
    work.audit({
      action: 'WEBHOOK_SECRET_RESEALED',
      resourceType: 'WebhookEndpoint',
      resourceId: id,
      before: { keyEncryptionKey: keyIdOf(from.sealedSecret) },
      after: { keyEncryptionKey: keyIdOf(to.sealedSecret) },
    });
    return true;
  },
});
