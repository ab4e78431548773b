// Signs a delivery as Standard Webhooks says: `id.timestamp.body` with every secret that is valid now, so that a receiver may change its
// secret at any moment of a rotation.

import { createHmac, createPrivateKey, createSecretKey, type KeyObject, sign } from 'node:crypto';

export type Signer = { readonly version: 'v1' | 'v1a'; readonly key: KeyObject };

/** In front of the 32 bytes of a seed, the bytes that make it a private key in the form PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

const privateKeyOf = (seed: Buffer): KeyObject => {
  const key = Buffer.concat([PKCS8_HEAD, seed]);
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } finally {
    key.fill(0);
  }
};

/** Wipes the secret: the key is a copy that no heap dump or log shows. */
export const signerOf = (version: Signer['version'], secret: Buffer): Signer => {
  try {
    return { version, key: version === 'v1' ? createSecretKey(secret) : privateKeyOf(secret) };
  } finally {
    secret.fill(0);
  }
};

const signatureOf = ({ version, key }: Signer, signed: string): string => {
  const bytes =
    version === 'v1' ? createHmac('sha256', key).update(signed).digest() : sign(null, Buffer.from(signed), key);
  return `${version},${bytes.toString('base64')}`;
};

type Message = { readonly id: string; readonly timestampS: number; readonly body: string };

export const signedHeaders = ({ id, timestampS, body }: Message, signers: readonly Signer[]) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampS),
  'webhook-signature': signers.map((signer) => signatureOf(signer, `${id}.${timestampS}.${body}`)).join(' '),
});
