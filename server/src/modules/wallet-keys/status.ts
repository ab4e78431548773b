// The key-encryption keys as the operator sees them: which one seals, what each has sealed, and which servers have it. Never a key.

import type { ResealParts } from './reseal-secrets.ts';
import type { WalletKeyState } from './wallet-key-state.ts';

type Counts = { readonly wallets: number; readonly credentials: number };

const NONE: Counts = { wallets: 0, credentials: 0 };

const phaseOf = (state: WalletKeyState | null): 'idle' | 'announced' | 'resealing' => {
  if (state === null) return 'idle';
  if (state.announcedKeyId !== null) return 'announced';
  return state.finishedAt === null ? 'resealing' : 'idle';
};

const sealedBy = async ({ wallets, credentials }: ResealParts): Promise<ReadonlyMap<string, Counts>> => {
  const counts = new Map<string, Counts>();
  for (const { keyId, wallets: found } of await wallets.countBySeal()) {
    const sum = counts.get(keyId) ?? NONE;
    counts.set(keyId, { ...sum, wallets: sum.wallets + found });
  }
  for (const { keyId, credentials: found } of await credentials.countBySeal()) {
    const sum = counts.get(keyId) ?? NONE;
    counts.set(keyId, { ...sum, credentials: sum.credentials + found });
  }
  return counts;
};

export const showWalletKeys = async (parts: ResealParts) => {
  const { ring, holders, readState } = parts;
  const state = await readState();
  const servers = await holders.live();
  const counts = await sealedBy(parts);
  const phase = phaseOf(state);
  const sealingKeyId = state?.sealingKeyId ?? ring.currentKeyId;
  const keyIds = [...new Set([...ring.keyIds, ...servers.flatMap((server) => server.keyIds), ...counts.keys()])];
  return {
    phase,
    sealingKeyId,
    announcedKeyId: state?.announcedKeyId ?? null,
    finishedAt: state?.finishedAt ?? null,
    keys: keyIds.map((keyId) => {
      const { wallets, credentials } = counts.get(keyId) ?? NONE;
      const isUsed = wallets + credentials > 0 || servers.some((server) => server.sealingKeyId === keyId);
      return { keyId, wallets, credentials, removable: phase === 'idle' && keyId !== sealingKeyId && !isUsed };
    }),
    servers: servers.map(({ id, host, keyIds: held, sealingKeyId: seals, confirmedKeyId, seenAt }) => ({
      id,
      host,
      keyIds: [...held],
      sealingKeyId: seals,
      confirmedKeyId,
      seenAt,
    })),
  };
};
