// The accounts that exist from the start: the issuer of the simulator's USDC, an outsider with a large balance, and the receiver of
// the escrow provider's fees. Their keys follow from the passphrase, so they are public and protect nothing.

import { createHash } from 'node:crypto';
import { Keypair } from '@stellar/stellar-sdk';
import { type AssetName, nameAsset } from './assets.ts';
import type { Store } from './store.ts';

// 90 billion units.
const PLENTY = 900_000_000_000_000_000n;

export type InitialAccounts = { issuer: Keypair; outsider: Keypair; protocolFees: Keypair; usdc: AssetName };

export function initialAccounts(passphrase: string): InitialAccounts {
  const key = (name: string) =>
    Keypair.fromRawEd25519Seed(createHash('sha256').update(`${passphrase} / ${name}`).digest());
  const issuer = key('issuer');
  return {
    issuer,
    outsider: key('outsider'),
    protocolFees: key('protocol fees'),
    usdc: nameAsset('USDC', issuer.publicKey()),
  };
}

export function createInitialAccounts({
  store,
  initial,
  nowMs,
}: {
  store: Store;
  initial: InitialAccounts;
  nowMs: number;
}): void {
  if (store.meta.get('bornAt') !== undefined) return;
  store.meta.set('bornAt', nowMs);
  const begin = (address: string, lines = {}) =>
    store.accounts.set(address, { address, sequence: 0n, native: PLENTY, lines, ledger: 1, changedAt: nowMs });
  const line = (balance: bigint) => ({ [initial.usdc]: { balance, limit: 2n ** 63n - 1n } });
  begin(initial.issuer.publicKey());
  begin(initial.outsider.publicKey(), line(PLENTY));
  begin(initial.protocolFees.publicKey(), line(0n));
}
