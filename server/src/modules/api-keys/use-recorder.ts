// Records when each key was last used: in memory, saved in batches at intervals and at shutdown. A lost record does no harm; a
// request never waits for one.

import type pg from 'pg';
import { type Clock, formatInstant } from '../../base/instant.ts';
import { sendByMarketplace } from '../../postgres/by-marketplace.ts';

export type KeyUse = { readonly marketplaceId: string; readonly keyId: string; readonly usedAt: string };

type UseRecorder = {
  note(use: { marketplaceId: string; keyId: string }): void;
  /** The last use in this process, which may not be saved yet. */
  lastUse(keyId: string): string | null;
  /** Saves the remaining uses. */
  close(): Promise<void>;
};

type Note = { readonly marketplaceId: string; at: number };

export const createUseRecorder = (parts: {
  save(uses: readonly KeyUse[]): Promise<void>;
  readonly clock: Clock;
  readonly intervalMs: number;
  onTrouble(message: string, error: unknown): void;
}): UseRecorder => {
  let notes = new Map<string, Note>();
  let underway: ReadonlyMap<string, Note> = new Map();
  let saving: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let closed = false;

  const saveNotes = async (): Promise<void> => {
    if (notes.size === 0) return;
    underway = notes;
    notes = new Map();
    try {
      await parts.save(
        Array.from(underway, ([keyId, { marketplaceId, at }]) => ({ marketplaceId, keyId, usedAt: formatInstant(at) })),
      );
    } catch (error) {
      parts.onTrouble('the last use of some keys could not be saved; it will be retried', error);
      for (const [keyId, note] of underway) if (!notes.has(keyId)) notes.set(keyId, note);
    }
    underway = new Map();
  };

  /** One save at a time, so that the last save resolves after all others. */
  const flush = (): Promise<void> => {
    saving = saving.then(saveNotes);
    return saving;
  };

  const arm = (): void => {
    timer = setTimeout(async () => {
      await flush();
      timer = null;
      if (notes.size > 0 && !closed) arm();
    }, parts.intervalMs).unref();
  };

  return {
    note({ marketplaceId, keyId }) {
      const known = notes.get(keyId);
      if (known) known.at = parts.clock();
      else notes.set(keyId, { marketplaceId, at: parts.clock() });
      if (timer === null && !closed) arm();
    },
    lastUse(keyId) {
      const note = notes.get(keyId) ?? underway.get(keyId);
      return note ? formatInstant(note.at) : null;
    },
    async close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
      await flush();
    },
  };
};

// Several servers write the same rows: always in one order, to avoid deadlocks, and never an earlier time.
const PUT_USES = `insert into api_key_uses as u (marketplace_id, api_key_id, last_used_at)
  select * from unnest($1::text[], $2::text[], $3::timestamptz[]) k (marketplace_id, api_key_id, last_used_at)
  order by marketplace_id, api_key_id
  on conflict (marketplace_id, api_key_id) do update
    set last_used_at = excluded.last_used_at where u.last_used_at < excluded.last_used_at`;

export const saveApiKeyUses = async (pool: pg.Pool, uses: readonly KeyUse[]): Promise<void> => {
  const put = async (part: readonly KeyUse[]): Promise<never[]> => {
    const values = [part.map((use) => use.marketplaceId), part.map((use) => use.keyId), part.map((use) => use.usedAt)];
    return (await pool.query<never>({ name: 'put-api-key-uses', text: PUT_USES, values })).rows;
  };
  await sendByMarketplace(pool, { items: uses, send: put });
};
