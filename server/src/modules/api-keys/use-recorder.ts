// Notes when each key was last used, in memory, and saves the notes together once in a while and at shutdown. Losing
// some of them is harmless; holding up a request for them is not.

import { type Clock, formatInstant } from '../../base/instant.ts';

export type KeyUse = { readonly marketplaceId: string; readonly keyId: string; readonly usedAt: string };

export type UseRecorder = {
  note(use: { marketplaceId: string; keyId: string }): void;
  /** What is noted and perhaps not saved yet. */
  lastUse(keyId: string): string | null;
  /** Saves what is left. */
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
      parts.onTrouble('the last use of some keys could not be saved; it is tried again', error);
      for (const [keyId, note] of underway) if (!notes.has(keyId)) notes.set(keyId, note);
    }
    underway = new Map();
  };

  /** One after the other, so that whoever waits for the last has waited for all. */
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
