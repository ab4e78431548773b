// Keeps the key-encryption keys of this server in step with the other servers. With each heartbeat it reads which key is announced and
// which one seals, proves that it has them, and says so in the database. A key seals only after every running server has confirmed it.

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { KeyRing } from '../../ledger/keys/key-ring.ts';
import { sealWithAnnouncedKey, systemContext } from './change-wallet-keys.ts';
import type { KeyHolder, KeyHolders, SeenHolder } from './holders.ts';
import { whyNotHeld } from './key-probe.ts';
import type { WalletKeyState } from './wallet-key-state.ts';

type Options = {
  readonly ring: KeyRing;
  readonly holders: KeyHolders;
  readonly submit: Submit;
  readState(): Promise<WalletKeyState | null>;
  readonly beatMs: number;
  /** Another key seals from now on: the other servers should read it soon. */
  onChanged(): void;
  /** Reseals in the background, once at a time. */
  reseal(): void;
  onTrouble(message: string, error: unknown): void;
};

/** A server counts as ended after this many heartbeats without a sign of it. */
const BEATS_UNTIL_ENDED = 6;

/** The newest key that all other servers have; without a common key the newest one. */
const commonKeyOf = (keyIds: readonly string[], others: readonly SeenHolder[]): string =>
  keyIds.find((keyId) => others.every((other) => other.keyIds.includes(keyId))) ?? keyIds[0]!;

/** What this server has proved about its own keys. */
const createStanding = ({ ring, onTrouble }: Pick<Options, 'ring' | 'onTrouble'>) => {
  const id = randomUUID();
  let confirmedKeyId: string | null = null;
  /** The probe of the key that this server seals with. */
  let provedProbe: string | null = null;
  return {
    id,
    holder: (): KeyHolder => ({
      id,
      host: `${hostname()} (process ${process.pid})`,
      keyIds: ring.keyIds,
      sealingKeyId: ring.currentKeyId,
      confirmedKeyId,
    }),

    /** Why the key that seals cannot be used; null when this server seals with it from now on. */
    async follow({ sealingKeyId: keyId, sealingProbe: probe }: WalletKeyState): Promise<string | null> {
      if (provedProbe === probe) return null;
      const why = await whyNotHeld(ring, { keyId, probe });
      if (why !== null) return why;
      ring.sealWith(keyId);
      provedProbe = probe;
      return null;
    },

    /** Whether a key is announced and this server has it. */
    async confirm({ announcedKeyId: keyId, announcedProbe: probe }: WalletKeyState): Promise<boolean> {
      if (keyId === null || probe === null) {
        confirmedKeyId = null;
        return false;
      }
      if (keyId === confirmedKeyId) return true;
      const why = await whyNotHeld(ring, { keyId, probe });
      confirmedKeyId = why === null ? keyId : null;
      const trouble = `a rotation waits for the key-encryption key ${keyId}, which this server does not have`;
      if (why !== null) onTrouble(trouble, new Error(why));
      return why === null;
    },
  };
};

export const createKeyWatch = (options: Options) => {
  const { ring, holders, submit, readState, beatMs, onTrouble } = options;
  const { id, holder, follow, confirm } = createStanding(options);
  let timer: NodeJS.Timeout | null = null;
  let beating: Promise<void> | null = null;
  let isClosed = false;
  /** The server that changed the key reseals until the rotation is finished. When it is killed, the job of another server does. */
  let reseals = false;

  const report = (): Promise<void> => holders.beat(holder(), beatMs * BEATS_UNTIL_ENDED);

  const changeIfConfirmed = async (keyId: string): Promise<void> => {
    const live = await holders.live();
    if (!live.every(({ confirmedKeyId }) => confirmedKeyId === keyId)) return;
    const context = systemContext(`wallet-key-${keyId}`);
    const changed = await runCommand(submit, { command: sealWithAnnouncedKey, input: { keyId }, context });
    if (changed === null) return;
    await follow(changed);
    await report();
    reseals = true;
    options.onChanged();
    options.reseal();
  };

  const beatOnce = async (): Promise<void> => {
    const state = await readState();
    const why = state && (await follow(state));
    if (why) onTrouble('this server does not have the key-encryption key that seals', new Error(why));
    const isConfirmed = state !== null && (await confirm(state));
    await report();
    if (isConfirmed) await changeIfConfirmed(state.announcedKeyId!);
    else if (reseals && state?.finishedAt === null) options.reseal();
    else reseals = false;
  };

  /** Never joins a beat that runs: a caller who has just changed the state needs a new one. */
  const beat = async (): Promise<void> => {
    while (beating) await beating.catch(() => {});
    if (isClosed) return;
    beating = beatOnce().finally(() => {
      beating = null;
    });
    await beating;
  };

  return {
    beat,
    /** Refuses when this server lacks the key that seals. Call it before anything is sealed. */
    async start(): Promise<void> {
      await report();
      const state = await readState();
      const others = (await holders.live()).filter((other) => other.id !== id);
      if (!state) ring.sealWith(commonKeyOf(ring.keyIds, others));
      const why = state ? await follow(state) : null;
      if (why !== null) {
        await holders.leave(id);
        throw new Error(`Secrets are sealed with a key-encryption key that this server does not have: ${why}.`);
      }
      await beat();
      const again = (): void =>
        void beat().catch((error) => onTrouble('the heartbeat of the wallet keys failed', error));
      timer = setInterval(again, beatMs).unref();
    },
    async close(): Promise<void> {
      if (timer) clearInterval(timer);
      while (beating) await beating.catch(() => {});
      isClosed = true;
      await holders.leave(id).catch((error) => onTrouble('the end of this server was not recorded', error));
    },
  };
};
