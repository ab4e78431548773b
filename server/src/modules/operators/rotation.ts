// Reseals the secrets of operators with the newest key-encryption key, through the committer and without opening a secret. It can be stopped
// and started again at any time.

import { command, type Submit } from '../../commit/command.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { requireSealKeys } from '../../ledger/keys/rotation.ts';
import { keyIdOf, resealSecret, sealedWith } from '../../ledger/keys/seal.ts';
import type { OperatorReads } from './queries.ts';

type Parts = {
  readonly operators: Pick<OperatorReads, 'countBySeal' | 'listSealedOtherwise'>;
  readonly keeper: KeyKeeper;
  readonly submit: Submit;
};

/** Refuses when a key that is still needed is missing. Call it before the first change. */
export const requireOperatorKeys = async ({ operators, keeper }: Omit<Parts, 'submit'>): Promise<void> =>
  requireSealKeys(await operators.countBySeal(), { keeper, what: 'secrets of operators' });

/** Returns how many operators were resealed. */
export const rotateOperatorSecrets = async ({ operators, keeper, submit }: Parts): Promise<number> => {
  const old = (await operators.countBySeal()).filter(({ keyId }) => keyId !== keeper.currentKeyId);
  let done = 0;
  for (const marketplaceId of new Set(old.map((one) => one.marketplaceId))) {
    for (const { id, sealedTotp } of await operators.listSealedOtherwise(
      marketplaceId,
      sealedWith(keeper.currentKeyId),
    )) {
      const to = await resealSecret(keeper, { sealed: sealedTotp!, place: { marketplaceId, operatorId: id } });
      const context = { marketplaceId, actor: { type: 'system', id: 'rotate-wallets' }, requestId: id } as const;
      const outcome = await submit({ command: resealOperator, input: { id, from: sealedTotp!, to }, context });
      if (outcome.kind === 'reply' && outcome.reply) done++;
    }
  }
  return done;
};

type ResealInput = { readonly id: string; readonly from: string; readonly to: string };

/** Returns false when the secret was replaced by a new one, which the newest key has sealed. */
const resealOperator = command<ResealInput, boolean>({
  name: 'reseal-operator',
  needs: ({ id }) => ({ rows: [{ table: 'operators', id }] }),
  decide({ id, from, to }, work) {
    const operator = work.get('operators', id);
    if (operator.sealedTotp !== from) return false;
    work.put('operators', { ...operator, sealedTotp: to, updatedAt: work.now });
    work.audit({
      action: 'OPERATOR_SECRET_RESEALED',
      resourceType: 'Operator',
      resourceId: id,
      before: { keyEncryptionKey: keyIdOf(from) },
      after: { keyEncryptionKey: keyIdOf(to) },
    });
    return true;
  },
});
