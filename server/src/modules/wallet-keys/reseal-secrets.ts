// Reseals all secrets with the key-encryption key that seals, in slices and beside live traffic. It goes by the rows themselves, so it can
// be stopped at any moment and continued by any server.

import { runCommand, type Submit } from '../../commit/command.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import type { KeyRing } from '../../ledger/keys/key-ring.ts';
import { type Progress, requireWalletKeys, rotateWallets } from '../../ledger/keys/rotation.ts';
import type { WalletReads } from '../../ledger/keys/wallet-queries.ts';
import type { OperatorReads } from '../operators/queries.ts';
import { requireOperatorKeys, rotateOperatorSecrets } from '../operators/rotation.ts';
import type { CredentialReads } from '../provider-credentials/queries.ts';
import { requireCredentialKeys, rotateCredentials } from '../provider-credentials/rotation.ts';
import type { EndpointReads } from '../webhook-endpoints/queries.ts';
import { requireEndpointKeys, rotateEndpointSecrets } from '../webhook-endpoints/rotation.ts';
import { finishRotation, systemContext } from './change-wallet-keys.ts';
import type { KeyHolders } from './holders.ts';
import type { WalletKeyState } from './wallet-key-state.ts';

type SealCounts = 'countBySeal' | 'listSealedOtherwise';

export type ResealParts = {
  readonly ring: KeyRing;
  readonly wallets: Pick<WalletReads, SealCounts>;
  readonly credentials: Pick<CredentialReads, SealCounts>;
  readonly endpoints: Pick<EndpointReads, SealCounts>;
  readonly operators: Pick<OperatorReads, SealCounts>;
  readonly holders: Pick<KeyHolders, 'live'>;
  readonly submit: Submit;
  readState(): Promise<WalletKeyState | null>;
  onProgress?(progress: Progress): void;
};

type Resealed = {
  readonly wallets: Progress;
  readonly credentials: number;
  readonly webhookEndpoints: number;
  readonly operators: number;
};

/** In one run of the job; the next run continues. */
const PAGES_PER_RUN = 500;

/** Refuses before the first change when a key that rows need is missing. */
export const requireKeys = async ({
  ring: keeper,
  wallets,
  credentials,
  endpoints,
  operators,
}: Omit<ResealParts, 'submit'>): Promise<void> => {
  await requireWalletKeys({ wallets, keeper });
  await requireCredentialKeys({ credentials, keeper });
  await requireEndpointKeys({ endpoints, keeper });
  await requireOperatorKeys({ operators, keeper });
};

const countOthers = async (
  { wallets, credentials, endpoints, operators }: ResealParts,
  keyId: string,
): Promise<number> => {
  const rows = [
    ...(await wallets.countBySeal()),
    ...(await credentials.countBySeal()),
    ...(await endpoints.countBySeal()),
    ...(await operators.countBySeal()),
  ];
  return rows.filter((row) => row.keyId !== keyId).length;
};

/** Null: there is nothing to do, or this server does not seal with the new key yet. */
export const resealSecrets = async (parts: ResealParts): Promise<Resealed | null> => {
  const { ring: keeper, submit, holders } = parts;
  const state = await parts.readState();
  if (state === null || state.announcedKeyId !== null || state.finishedAt !== null) return null;
  const keyId = state.sealingKeyId;
  if (keeper.currentKeyId !== keyId) return null;
  await requireKeys(parts);
  const wallets = await rotateWallets({ ...parts, keeper, pagesMax: PAGES_PER_RUN });
  const credentials = await rotateCredentials({ credentials: parts.credentials, keeper, submit });
  const webhookEndpoints = await rotateEndpointSecrets({ endpoints: parts.endpoints, keeper, submit });
  const operators = await rotateOperatorSecrets({ operators: parts.operators, keeper, submit });
  // A server that has not followed yet may still seal with the old key.
  const all = (await holders.live()).every(({ sealingKeyId }) => sealingKeyId === keyId);
  if (all && (await countOthers(parts, keyId)) === 0) {
    const context = systemContext(`wallet-key-${keyId}`);
    await runCommand(submit, { command: finishRotation, input: { keyId }, context });
  }
  return { wallets, credentials, webhookEndpoints, operators };
};

export const resealJob = (run: () => Promise<unknown>): Job => ({
  ...scheduled('reseal-secrets'),
  atStart: true,
  async run() {
    await run();
  },
});
