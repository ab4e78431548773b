// How answers are kept: what was asked, for how long it counts as fresh, and what a refused key leads to. Keys start with
// the name of the resource (`['orders', 'list', filters]`, `['orders', id]`), so that an event can name what it made stale.

import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isRefusal, isSignedOut } from './api.ts';

const listeners = new Set<() => void>();

/** Called when the server says that the key is not accepted any more. */
export const onSignedOut = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const noticeRefusal = (error: unknown): void => {
  if (isSignedOut(error)) for (const listener of listeners) listener();
};

/** Events make answers stale sooner; this is for what no event tells. */
const FRESH_MS = 30_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeRefusal }),
  mutationCache: new MutationCache({ onError: noticeRefusal }),
  defaultOptions: {
    queries: {
      // The server may be on a machine without a network: only asking tells whether it answers.
      networkMode: 'always',
      staleTime: FRESH_MS,
      // The client repeats what may be repeated; a refusal stays one.
      retry: (failures, error) => !isRefusal(error) && failures < 1,
      refetchOnWindowFocus: true,
    },
    // What moves money is done now or refused now, and never put off until a connection is back.
    mutations: { retry: false, networkMode: 'always' },
  },
});
