// Whether the key's limit of requests is used up. The client waits and goes on by itself; who looks at the page should know
// why nothing comes.

import type { AttemptRecord } from '@holdfast/sdk';
import { useSyncExternalStore } from 'react';

/** Said until this long after the last refusal, unless an answer comes before. */
const REMEMBERED_MS = 60_000;

let isUsedUp = false;
let timer: number | undefined;
const listeners = new Set<() => void>();

const tell = (now: boolean): void => {
  window.clearTimeout(timer);
  if (now) timer = window.setTimeout(() => tell(false), REMEMBERED_MS);
  if (now === isUsedUp) return;
  isUsedUp = now;
  for (const listener of listeners) listener();
};

/** Every attempt of the client, when it has ended. */
export const noteAttempt = ({ status }: Pick<AttemptRecord, 'status'>): void => {
  if (status === 429) tell(true);
  else if (status !== null && status < 500) tell(false);
};

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIsKeyUsedUp = (): boolean => useSyncExternalStore(listen, () => isUsedUp);
