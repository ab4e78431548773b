// The one event stream of the whole page. It makes stale what an event has changed, feeds the ticker, and says whether the
// connection stands; the client connects again by itself and goes on where it was.

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
  /** What came since the page was opened, newest first. */
  readonly recent: readonly HoldfastEvent[];
};

const LiveContext = createContext<Live>({ state: 'connecting', recent: [] });
const RECENT_MAX = 200;
/** Events come in groups; one question for each group is enough. */
const GATHER_MS = 150;

/** See parts/paged.ts. */
const PAGES_ASKED = 2;

/** What a list holds that came page by page. */
type Shown = { readonly pages?: readonly unknown[] } | undefined;

/** What never changes: a list asks for a name in each row. */
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
            // Whatever has no event of its own may have changed meanwhile.
            if (wasLost) void queries.invalidateQueries({ predicate: ({ queryKey }) => !isConstant(queryKey) });
            wasLost = false;
          } else if (told.state === 'waiting' || told.attempt > 0) {
            // A server that stops in good order only ends the stream, and the client connects again.
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
      // Whatever may pass the client tries again by itself: this stays.
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
