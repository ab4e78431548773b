// Which accounts signed a hash. An account has one signer here: its own key.

import { createPublicKey, verify } from 'node:crypto';
import { StrKey } from '@stellar/stellar-sdk';
import type { Signature } from './envelope.ts';

const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');

export type Signed = { signedBy: Set<string>; unused: boolean };

export function checkSignatures(
  hash: Uint8Array,
  { signatures, signers }: { signatures: Signature[]; signers: Iterable<string> },
): Signed {
  const signedBy = new Set<string>();
  const used = new Set<Signature>();
  for (const address of signers) {
    const key = StrKey.decodeEd25519PublicKey(address);
    for (const signature of signatures) {
      if (!sameBytes(key.subarray(-4), signature.hint) || !isValid({ key, hash, signature: signature.bytes })) continue;
      signedBy.add(address);
      used.add(signature);
    }
  }
  return { signedBy, unused: used.size < signatures.length };
}

// Node's own check took 0.2 ms where the SDK's took 2.7 ms.
function isValid({ key, hash, signature }: { key: Uint8Array; hash: Uint8Array; signature: Uint8Array }): boolean {
  const spki = createPublicKey({ key: Buffer.concat([SPKI_ED25519, key]), format: 'der', type: 'spki' });
  return verify(null, hash, spki, signature);
}

const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
