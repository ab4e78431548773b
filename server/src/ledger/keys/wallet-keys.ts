// Creates custodial wallets: a new key pair whose secret leaves this file only sealed.

import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { formatAddress } from '../../base/ledger-address.ts';
import { newId } from '../../base/ulid.ts';
import type { KeyKeeper } from './key-keeper.ts';
import { sealSecret } from './seal.ts';
import type { PreparedWallet } from './wallet.ts';

const SEED_BYTES = 32;
/** The prefix of an ed25519 seed in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export type PrepareWallet = (marketplaceId: string) => Promise<PreparedWallet>;

export const walletMaker =
  (keeper: KeyKeeper): PrepareWallet =>
  async (marketplaceId) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const place = {
      marketplaceId,
      walletId: newId('wallet', Date.now()),
      address: addressOf(publicKey),
    };
    const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' });
    const secret = pkcs8.subarray(-SEED_BYTES);
    try {
      const sealedSecret = await sealSecret(keeper, { secret, place });
      return { id: place.walletId, address: place.address, sealedSecret };
    } finally {
      pkcs8.fill(0);
    }
  };

const addressOf = (publicKey: KeyObject): string =>
  formatAddress(publicKey.export({ format: 'der', type: 'spki' }).subarray(-SEED_BYTES));

/** Signs with a seed and wipes it, also when it fails. */
export const signAndWipe = (seed: Buffer, message: Buffer): Buffer => {
  const pkcs8 = Buffer.concat([PKCS8, seed]);
  try {
    return sign(null, message, createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' }));
  } finally {
    pkcs8.fill(0);
    seed.fill(0);
  }
};
