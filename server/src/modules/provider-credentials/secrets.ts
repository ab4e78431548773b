// The secrets of provider credentials, sealed and open. Open secrets stay in memory and never reach a log, an answer or a row.

import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { openSecret, sealSecret } from '../../ledger/keys/seal.ts';

export type CredentialSecrets = {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly webhookSecret: string;
};

export const SECRET_NAMES = ['apiKey', 'apiSecret', 'webhookSecret'] as const satisfies (keyof CredentialSecrets)[];

type Place = { readonly marketplaceId: string; readonly credentialsId: string };

export const sealSecrets = async (
  keeper: KeyKeeper,
  { secrets, place }: { secrets: CredentialSecrets; place: Place },
): Promise<string> => {
  const { apiKey, apiSecret, webhookSecret } = secrets;
  const plain = Buffer.from(JSON.stringify({ apiKey, apiSecret, webhookSecret }));
  try {
    return await sealSecret(keeper, { secret: plain, place });
  } finally {
    plain.fill(0);
  }
};

export const openSecrets = async (
  keeper: KeyKeeper,
  { sealed, place }: { sealed: string; place: Place },
): Promise<CredentialSecrets> => {
  const plain = await openSecret(keeper, { sealed, place });
  try {
    return JSON.parse(plain.toString('utf8')) as CredentialSecrets;
  } finally {
    plain.fill(0);
  }
};
