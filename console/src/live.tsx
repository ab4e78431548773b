// The one event stream of the whole page. It makes stale what an event has changed, feeds the ticker, and says whether the
// connection stands; the client connects again by itself and goes on where it was.

import type { HoldfastEvent } from '@holdfast/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { createPace } from './live-pace.ts';
import { staleAfter } from './live-table.ts';
import { noticeRefusal } from './queries.ts';
import { useClient } from './session.tsx';

export type LiveState = 'connecting' | 'live' | 'lost';

export type Live = {
  readonly state: LiveState;
  /** What came since the page was opened, newest first. */
  readonly recent: readonly HoldfastEvent[];
};

const LiveContext = createContext<Live>({ state: 'connecting', recent: [] });
const RECENT_MAX = 200;
/** Events come in groups; one question for each group is enough. */
const GATHER_MS = 150;

export const LiveProvider = ({ children }: { readonly children: ReactNode }) => {
  const client = useClient();
  const queries = useQueryClient();
  const [state, setState] = useState<LiveState>('connecting');
  const [recent, setRecent] = useState<readonly HoldfastEvent[]>([]);

  useEffect(() => {
    const stop = new AbortController();
    const pace = createPace((name) => void queries.invalidateQueries({ queryKey: [name] }));
    let gathered: HoldfastEvent[] = [];
    let timer: number | undefined;
    let wasLost = false;

    const tell = (): void => {
      timer = undefined;
      const fresh = gathered.reverse();
      gathered = [];
      setRecent((before) => [...fresh, ...before].slice(0, RECENT_MAX));
      for (const name of staleAfter(fresh)) pace.ask(name);
    };

    const follow = async (): Promise<void> => {
      const stream = client.events({
        signal: stop.signal,
        onState(told) {
          if (told.state === 'live') {
            setState('live');
            // Whatever has no event of its own may have changed meanwhile.
            if (wasLost) void queries.invalidateQueries();
            wasLost = false;
          } else if (told.state === 'waiting') {
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
      setState('lost');
      noticeRefusal(error);
    });
    return () => {
      stop.abort();
      pace.stop();
      window.clearTimeout(timer);
    };
  }, [client, queries]);

  return <LiveContext value={{ state, recent }}>{children}</LiveContext>;
};

export const useLive = (): Live => useContext(LiveContext);
