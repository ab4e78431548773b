// The commands of a rotation of the key-encryption key: a key is announced, it seals once all servers have it, and the rotation is
// finished when nothing else is sealed with another key. Each one is safe to repeat.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Context, command, type UnitOfWork } from '../../commit/command.ts';
import { STATE_ID, type WalletKeyState } from './wallet-key-state.ts';

export type ProbedKey = { readonly keyId: string; readonly probe: string };

type Announcement = {
  readonly next: ProbedKey;
  /** The key that seals now; stored by the first rotation. */
  readonly current: ProbedKey;
};

export const systemContext = (requestId: string): Context => ({
  marketplaceId: DEFAULT_MARKETPLACE,
  actor: { type: 'system', id: 'rotate-wallets' },
  requestId,
});

const needs = () => ({ rows: [{ table: 'walletKeys', id: STATE_ID } as const] });

const shown = ({ sealingKeyId, announcedKeyId }: WalletKeyState) => ({ sealingKeyId, announcedKeyId });

type Change = { readonly before: WalletKeyState | undefined; readonly after: WalletKeyState };

const store = (
  work: UnitOfWork,
  {
    action,
    before,
    after,
  }: Change & { action: 'WALLET_KEY_ANNOUNCED' | 'WALLET_KEY_CHANGED' | 'WALLET_KEYS_RESEALED' },
): WalletKeyState => {
  const row = { ...after, updatedAt: work.now };
  work.put('walletKeys', row);
  work.audit({
    action,
    resourceType: 'WalletKey',
    resourceId: row.announcedKeyId ?? row.sealingKeyId,
    ...(before ? { before: shown(before) } : {}),
    after: shown(row),
  });
  return row;
};

const refuseOther = (announcedKeyId: string): never => {
  throw new DomainError('INVALID_STATE', {
    message: `A rotation to the key-encryption key ${announcedKeyId} waits until all servers have that key. Give it to them, or rotate to the key that seals now to withdraw it.`,
    details: { currentState: 'ANNOUNCED', allowedActions: ['rotate'] },
  });
};

/** Rotating to the key that seals already withdraws an announcement, or looks for secrets that are still sealed with another key. */
export const announceWalletKey = command<Announcement, WalletKeyState>({
  name: 'announce-wallet-key',
  needs,
  decide({ next, current }, work) {
    const before = work.find('walletKeys', STATE_ID);
    if (before?.announcedKeyId === next.keyId) return before;
    const state: WalletKeyState = before ?? {
      id: STATE_ID,
      sealingKeyId: current.keyId,
      sealingProbe: current.probe,
      announcedKeyId: null,
      announcedProbe: null,
      finishedAt: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    const action = 'WALLET_KEY_ANNOUNCED';
    if (next.keyId === state.sealingKeyId) {
      const after = { ...state, announcedKeyId: null, announcedProbe: null, finishedAt: null };
      return store(work, { action, before, after });
    }
    if (state.announcedKeyId !== null) return refuseOther(state.announcedKeyId);
    const after = { ...state, announcedKeyId: next.keyId, announcedProbe: next.probe };
    return store(work, { action, before, after });
  },
});

/** Submit it only after all running servers have confirmed that they have the key. Null: another server was faster. */
export const sealWithAnnouncedKey = command<{ readonly keyId: string }, WalletKeyState | null>({
  name: 'seal-with-announced-key',
  needs,
  decide({ keyId }, work) {
    const before = work.find('walletKeys', STATE_ID);
    if (before?.announcedKeyId !== keyId) return null;
    const after = {
      ...before,
      sealingKeyId: keyId,
      sealingProbe: before.announcedProbe!,
      announcedKeyId: null,
      announcedProbe: null,
      finishedAt: null,
    };
    return store(work, { action: 'WALLET_KEY_CHANGED', before, after });
  },
});

/** Submit it only when no secret is sealed with another key. Null: a new rotation has begun, or this one was finished before. */
export const finishRotation = command<{ readonly keyId: string }, WalletKeyState | null>({
  name: 'finish-wallet-key-rotation',
  needs,
  decide({ keyId }, work) {
    const before = work.find('walletKeys', STATE_ID);
    if (before?.sealingKeyId !== keyId || before.announcedKeyId !== null || before.finishedAt !== null) return null;
    return store(work, { action: 'WALLET_KEYS_RESEALED', before, after: { ...before, finishedAt: work.now } });
  },
});
