// The one event stream of the page. It marks stale queries, fills the list of recent events and holds the connection
// state. The client reconnects and continues after the last event.

import type { HoldfastEvent } from '@holdfast/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { createPace } from './live-pace.ts';
import { idsIn, isTouched, staleAfter } from './live-table.ts';
import { noticeRefusal } from './queries.ts';
import { useSeen } from './seen.ts';
import { useClient } from './session.tsx';

export type LiveState = 'connecting' | 'live' | 'lost' | 'refused';

export type Live = {
  readonly state: LiveState;
  /** Events since the page was opened, newest first. */
  readonly recent: readonly HoldfastEvent[];
};

const LiveContext = createContext<Live>({ state: 'connecting', recent: [] });
const RECENT_MAX = 200;
/** Events arrive in groups. One refetch per group is enough. */
const GATHER_MS = 150;

/** See parts/paged.ts. */
const PAGES_ASKED = 2;

/** The data of a paged query. */
type Shown = { readonly pages?: readonly unknown[] } | undefined;

/** Data that never changes. Every row of a list queries a name. */
const isConstant = ([first]: readonly unknown[]): boolean => first === 'names' || first === 'config';

export const LiveProvider = ({ children }: { readonly children: ReactNode }) => {
  const client = useClient();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [recent, setRecent] = useState<readonly HoldfastEvent[]>([]);

  const isSeen = useSeen();
  const wasOpen = useRef(false);

  useEffect(() => {
    if (!isSeen) return;
    const stop = new AbortController();
    const pace = createPace({
      again: (touched) => void queries.invalidateQueries({ predicate: ({ queryKey }) => isTouched(queryKey, touched) }),
      costOf: (touched) =>
        queries
          .getQueryCache()
          .findAll({ type: 'active', predicate: ({ queryKey }) => isTouched(queryKey, touched) })
          .reduce((sum, { state: { data } }) => sum + Math.min((data as Shown)?.pages?.length ?? 1, PAGES_ASKED), 0),
    });
    let gathered: HoldfastEvent[] = [];
    let timer: number | undefined;
    let wasLost = wasOpen.current;
    wasOpen.current = true;

    const tell = (): void => {
      timer = undefined;
      const fresh = gathered.reverse();
      gathered = [];
      setRecent((before) => [...fresh, ...before].slice(0, RECENT_MAX));
      const ids = idsIn(fresh);
      for (const name of staleAfter(fresh)) pace.ask(name, ids);
    };

    const follow = async (): Promise<void> => {
      const stream = client.events({
        signal: stop.signal,
        onState(told) {
          if (told.state === 'live') {
            setState('live');
            // Data without events may have changed while the stream was closed.
            if (wasLost) void queries.invalidateQueries({ predicate: ({ queryKey }) => !isConstant(queryKey) });
            wasLost = false;
          } else if (told.state === 'waiting' || told.attempt > 0) {
            // A server that shuts down normally ends the stream without an error, and the client reconnects.
            wasLost = true;
            setState('lost');
          }
        },
      });
      for await (const event of stream) {
        gathered.push(event);
        timer ??= window.setTimeout(tell, GATHER_MS);
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
      pace.stop();
      window.clearTimeout(timer);
    };
  }, [client, queries, isSeen]);

  return <LiveContext value={{ state, recent }}>{children}</LiveContext>;
};

export const useLive = (): Live => useContext(LiveContext);
