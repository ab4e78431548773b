// Whether the key has reached its rate limit. The client waits and retries; the page says why nothing is loading.

import type { AttemptRecord } from '@holdfast/sdk';
import { useSyncExternalStore } from 'react';

/** The notice is shown for this long after the last 429, unless a request succeeds before. */
const REMEMBERED_MS = 60_000;

let isRateLimited = false;
let timer: number | undefined;
const listeners = new Set<() => void>();

const setRateLimited = (now: boolean): void => {
  window.clearTimeout(timer);
  if (now) timer = window.setTimeout(() => setRateLimited(false), REMEMBERED_MS);
  if (now === isRateLimited) return;
  isRateLimited = now;
  for (const listener of listeners) listener();
};

/** Called after every attempt of the client. */
export const recordAttempt = ({ status }: Pick<AttemptRecord, 'status'>): void => {
  if (status === 429) setRateLimited(true);
  else if (status !== null && status < 500) setRateLimited(false);
};

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIsRateLimited = (): boolean => useSyncExternalStore(listen, () => isRateLimited);
