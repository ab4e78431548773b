// The query cache: how long an answer is fresh, when a query is retried, and what happens when the key is refused.
// Query keys start with the name of the resource (`['orders', 'list', filters]`, `['orders', id]`), so an event can
// name the stale ones.

import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isRefusal, isSignedOut } from './api.ts';

const listeners = new Set<() => void>();

/** The listener is called when the server refuses the key. */
export const onSignedOut = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const noticeRefusal = (error: unknown): void => {
  if (isSignedOut(error)) for (const listener of listeners) listener();
};

/** For data without events. Events make answers stale sooner. */
const FRESH_MS = 30_000;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeRefusal }),
  defaultOptions: {
    queries: {
      // The server may run on this machine without a network. Only a request shows whether it answers.
      networkMode: 'always',
      staleTime: FRESH_MS,
      // The client already retries what is safe to retry. An error answer is final.
      retry: (failures, error) => !isRefusal(error) && failures < 1,
      refetchOnWindowFocus: true,
    },
    // A request that moves money succeeds or fails now. It never waits for a connection.
    mutations: { retry: false, networkMode: 'always' },
  },
});

let current = {};

/** Forgets every answer. Requests of the session may still be answered; `watchSession` tells their answers apart. */
export const endSession = (): void => {
  current = {};
  queryClient.clear();
};

/** Called before a request is sent. The returned function is true when the session has ended since. */
export const watchSession = (): (() => boolean) => {
  const sender = current;
  return () => sender !== current;
};
