// The one event stream of the page. It marks stale queries, fills the list of recent events and holds the connection
// state. The client reconnects and continues after the last event.

import type { HoldfastEvent } from '@holdfast/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { useIsPageVisible } from './page-visibility.ts';
import { noticeRefusal } from './queries.ts';
import { createRefetchPacer } from './refetch-pacer.ts';
import { useClient } from './session.tsx';
import { idsIn, isStale, staleNamesAfter } from './stale-queries.ts';

type LiveState = 'connecting' | 'live' | 'lost' | 'refused';

export type Live = {
  readonly state: LiveState;
  /** Events since the page was opened, newest first. */
  readonly recent: readonly HoldfastEvent[];
};

const LiveContext = createContext<Live>({ state: 'connecting', recent: [] });
const RECENT_MAX = 200;
/** Events arrive in groups. One refetch per group is enough. */
const GATHER_MS = 150;

/** See parts/lists/paged.ts. */
const PAGES_REFETCHED = 2;

/** The data of a paged query. */
type Shown = { readonly pages?: readonly unknown[] } | undefined;

/** Data that never changes. Every row of a list queries a name. */
const isConstant = ([first]: readonly unknown[]): boolean => first === 'names' || first === 'config';

export const LiveProvider = ({ children }: { readonly children: ReactNode }) => {
  const client = useClient();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [recent, setRecent] = useState<readonly HoldfastEvent[]>([]);

  const isVisible = useIsPageVisible();
  const wasOpen = useRef(false);

  useEffect(() => {
    if (!isVisible) return;
    const stop = new AbortController();
    const pacer = createRefetchPacer({
      refetch: (stale) => void queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey, stale) }),
      costOf: (stale) =>
        queries
          .getQueryCache()
          .findAll({ type: 'active', predicate: ({ queryKey }) => isStale(queryKey, stale) })
          .reduce(
            (sum, { state: { data } }) => sum + Math.min((data as Shown)?.pages?.length ?? 1, PAGES_REFETCHED),
            0,
          ),
    });
    let gathered: HoldfastEvent[] = [];
    let timer: number | undefined;
    let wasLost = wasOpen.current;
    wasOpen.current = true;

    const flush = (): void => {
      timer = undefined;
      const fresh = gathered.reverse();
      gathered = [];
      setRecent((before) => [...fresh, ...before].slice(0, RECENT_MAX));
      const ids = idsIn(fresh);
      for (const name of staleNamesAfter(fresh)) pacer.request(name, ids);
    };

    const follow = async (): Promise<void> => {
      const stream = client.events({
        signal: stop.signal,
        onState(update) {
          if (update.state === 'live') {
            setState('live');
            // Data without events may have changed while the stream was closed.
            if (wasLost) void queries.invalidateQueries({ predicate: ({ queryKey }) => !isConstant(queryKey) });
            wasLost = false;
          } else if (update.state === 'waiting' || update.attempt > 0) {
            // A server that shuts down normally ends the stream without an error, and the client reconnects.
            wasLost = true;
            setState('lost');
          }
        },
      });
      for await (const event of stream) {
        gathered.push(event);
        timer ??= window.setTimeout(flush, GATHER_MS);
      }
    };

    follow().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      // The client retries every temporary error, so this error is final.
      setState('refused');
      noticeRefusal(error);
    });
    return () => {
      stop.abort();
      setState('connecting');
      pacer.stop();
      window.clearTimeout(timer);
    };
  }, [client, queries, isVisible]);

  return <LiveContext value={{ state, recent }}>{children}</LiveContext>;
};

export const useLive = (): Live => useContext(LiveContext);
