// Begins a rotation of the key-encryption key: reads the source again, proves the new key with a probe and announces it. The servers
// then do the rest.

import { setTimeout } from 'node:timers/promises';
import { DomainError } from '../../base/domain-error.ts';
import { type Context, runCommand } from '../../commit/command.ts';
import { announceWalletKey, sealWithAnnouncedKey, systemContext } from './change-wallet-keys.ts';
import { makeProbe } from './key-probe.ts';
import type { ResealParts } from './reseal-secrets.ts';
import type { WalletKeyState } from './wallet-key-state.ts';

type Request = {
  /** Null: the newest one. */
  readonly keyId: string | null;
  readonly context: Context;
};

/** The key that the running servers seal with before the first rotation. A program that is no server has to ask them. */
const sealingKeyOf = async ({ ring, holders }: ResealParts): Promise<string> => {
  const used = (await holders.live()).map(({ sealingKeyId }) => sealingKeyId);
  return used.includes(ring.currentKeyId) ? ring.currentKeyId : (used[0] ?? ring.currentKeyId);
};

export const rotateWalletKey = async (parts: ResealParts, { keyId, context }: Request): Promise<WalletKeyState> => {
  const { ring, submit } = parts;
  await ring.refresh();
  const next = keyId ?? ring.keyIds[0]!;
  if (!ring.has(next)) {
    throw new DomainError('WALLET_KEY_NOT_FOUND', {
      message: `The key-encryption key ${next} is not in ${ring.setting} of this server. Add it there, then rotate again.`,
      details: { keyIds: ring.keyIds },
    });
  }
  const current = await sealingKeyOf(parts);
  const input = { next: await makeProbe(ring, next), current: await makeProbe(ring, current) };
  return runCommand(submit, { command: announceWalletKey, input, context });
};

type Patience = { readonly keyId: string; readonly patienceMs: number };

const POLL_MS = 100;

/** Changes the key as soon as all running servers have confirmed it. Returns the hosts of those that have not within the time. */
export const changeWhenConfirmed = async (parts: ResealParts, { keyId, patienceMs }: Patience): Promise<string[]> => {
  const { holders, submit } = parts;
  for (const begun = performance.now(); ; await setTimeout(POLL_MS)) {
    const waiting = (await holders.live()).filter(({ confirmedKeyId }) => confirmedKeyId !== keyId);
    const isSealing = (await parts.readState())?.sealingKeyId === keyId;
    if (isSealing) return [];
    if (waiting.length === 0) {
      const context = systemContext(`rotate-wallets-${keyId}`);
      await runCommand(submit, { command: sealWithAnnouncedKey, input: { keyId }, context });
      return [];
    }
    if (performance.now() - begun > patienceMs) return waiting.map(({ host }) => host);
  }
};
