// A known text that a key-encryption key has sealed. A server that opens it has the same key, not only a key of the same name.

import type { KeyRing } from '../../ledger/keys/key-ring.ts';
import type { ProbedKey } from './change-wallet-keys.ts';

const PLAIN = Buffer.from('holdfast wallet key probe');

const boundTo = (keyId: string): Buffer => Buffer.from(JSON.stringify(['holdfast', 'v1', 'probe', keyId]));

export const makeProbe = async (ring: KeyRing, keyId: string): Promise<ProbedKey> => {
  const sealed = await ring.sealBy(keyId, { plain: PLAIN, bound: boundTo(keyId) });
  return { keyId, probe: sealed.toString('base64url') };
};

const opens = (ring: KeyRing, { keyId, probe }: ProbedKey): Promise<Buffer> =>
  ring.open({ keyId, sealed: Buffer.from(probe, 'base64url') }, boundTo(keyId));

/** Why the server does not have this key; null when it has it. A key that is missing or wrong is read from the source again first. */
export const whyNotHeld = async (ring: KeyRing, key: ProbedKey): Promise<string | null> => {
  try {
    if (!ring.has(key.keyId)) await ring.refresh();
    await opens(ring, key).catch(async () => {
      await ring.refresh();
      await opens(ring, key);
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
