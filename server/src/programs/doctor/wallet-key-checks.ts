// Whether the key-encryption keys of the settings open every secret, whether a rotation is stuck, and which key is no longer needed.

import type { Config } from '../../config/config.ts';
import { findKeptKeks } from '../../config/secrets.ts';
import { type KeySource, openKeyRing } from '../../ledger/keys/key-ring.ts';
import { openKeySource } from '../../ledger/keys/key-sources.ts';
import type { ResealParts } from '../../modules/wallet-keys/reseal-secrets.ts';
import { showWalletKeys } from '../../modules/wallet-keys/status.ts';
import { type CheckResult, failed, fine, unknown, warning } from './verdict.ts';

type Status = Awaited<ReturnType<typeof showWalletKeys>>;

export const assessWalletKeys = (
  { keys, phase, announcedKeyId, servers }: Status,
  { heldKeyIds, setting }: { heldKeyIds: readonly string[]; setting: string },
): CheckResult => {
  const lacking = keys.filter((key) => key.wallets + key.credentials > 0 && !heldKeyIds.includes(key.keyId));
  if (lacking.length > 0) {
    const list = lacking.map((key) => `${key.keyId} (${key.wallets} wallets, ${key.credentials} provider credentials)`);
    return failed(
      `Secrets are sealed with key-encryption keys that ${setting} lacks: ${list.join(', ')}. Their money cannot be moved.`,
      `Add these keys to ${setting} behind the newest one.`,
    );
  }
  if (phase === 'announced') {
    const waiting = servers.filter((server) => server.confirmedKeyId !== announcedKeyId).map(({ host }) => host);
    return warning(
      `A rotation to the key-encryption key ${announcedKeyId} waits for these servers: ${waiting.join(', ') || 'none is running'}.`,
      `Give the key to them, or call the rotation off: \`holdfast wallets keys\`.`,
    );
  }
  if (phase === 'resealing') return fine('A rotation runs: secrets are sealed with the new key-encryption key.');
  const removable = keys.filter((key) => key.removable && heldKeyIds.includes(key.keyId)).map(({ keyId }) => keyId);
  // The newest key that seals nothing waits for its rotation: an operator has just added it.
  const unused = removable.filter((keyId) => keyId !== heldKeyIds[0]);
  if (unused.length === 0 && removable.length > 0) {
    return fine(
      `The newest key-encryption key ${heldKeyIds[0]} seals nothing. \`holdfast wallets rotate\` rotates to it.`,
    );
  }
  if (unused.length === 0) return fine('The key-encryption keys open every secret, and each of them is needed.');
  return fine(
    `No secret needs these key-encryption keys any more: ${unused.join(', ')}. Remove them from ${setting}, and keep a copy for as long as you keep backups from before.`,
  );
};

/** Generates nothing: the checks must not change the data folder. */
const sourceOf = (config: Config): KeySource =>
  openKeySource({
    settings: config.walletKeys,
    settingsKeks: async () => config.keys.walletKeks ?? findKeptKeks(config.data.dir),
  });

export const inspectWalletKeys = async (
  config: Config,
  partsOf: (ring: ResealParts['ring']) => ResealParts,
): Promise<CheckResult> => {
  const isGenerated = config.walletKeys.source === 'settings' && config.keys.walletKeks === null;
  if (isGenerated && (await findKeptKeks(config.data.dir)).length === 0) {
    return unknown(
      'Neither the settings nor the data folder have a key-encryption key. The first start generates one.',
    );
  }
  const ring = await openKeyRing(sourceOf(config)).catch((error: unknown) =>
    failed(error instanceof Error ? error.message : String(error), 'See docs/operating.md, "Keys".'),
  );
  if ('state' in ring) return ring;
  try {
    const { keyIds: heldKeyIds, setting } = ring;
    return assessWalletKeys(await showWalletKeys(partsOf(ring)), { heldKeyIds, setting });
  } finally {
    await ring.close();
  }
};
