// The secrets that sign deliveries: made here, sealed at rest like the secrets of wallets, and shown once. An endpoint with `v1a` has a key
// pair of ed25519: only its public half is shown.

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { openSecret, sealSecret } from '../../ledger/keys/seal.ts';
import type { WebhookEndpoint } from './endpoint.ts';

const SHARED_BYTES = 32;

type Place = { readonly marketplaceId: string; readonly webhookEndpointId: string };

export type FreshSecret = {
  readonly sealed: string;
  readonly publicKey: string | null;
  /** What the marketplace verifies with, for the one answer that shows it. A function, so that no log prints it. */
  reveal(): string;
};

/** The private key as the 32 bytes of its seed. */
const newKeyPair = (): { seed: Buffer; publicKey: Buffer } => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = privateKey.export({ format: 'jwk' });
  return { seed: Buffer.from(jwk.d!, 'base64url'), publicKey: Buffer.from(jwk.x!, 'base64url') };
};

const makeSecret = (
  signature: WebhookEndpoint['signature'],
): { plain: Buffer; shown: string; publicKey: string | null } => {
  if (signature === 'v1') {
    const plain = randomBytes(SHARED_BYTES);
    return { plain, shown: `whsec_${plain.toString('base64')}`, publicKey: null };
  }
  const { seed, publicKey } = newKeyPair();
  const shown = `whpk_${publicKey.toString('base64')}`;
  return { plain: seed, shown, publicKey: shown };
};

export const freshSecret = async (
  keeper: KeyKeeper,
  { place, signature }: { place: Place; signature: WebhookEndpoint['signature'] },
): Promise<FreshSecret> => {
  const { plain, shown, publicKey } = makeSecret(signature);
  try {
    return { sealed: await sealSecret(keeper, { secret: plain, place }), publicKey, reveal: () => shown };
  } finally {
    plain.fill(0);
  }
};

/** The secrets that sign now, newest first. The caller must wipe them after use. */
export const openSigningSecrets = async (
  keeper: KeyKeeper,
  { endpoint, place, now }: { endpoint: WebhookEndpoint; place: Place; now: string },
): Promise<Buffer[]> => {
  const { sealedSecret, previousSealedSecret, previousExpiresAt } = endpoint;
  const sealed = [sealedSecret];
  if (previousSealedSecret !== null && previousExpiresAt! > now) sealed.push(previousSealedSecret);
  return Promise.all(sealed.map((one) => openSecret(keeper, { sealed: one, place })));
};
