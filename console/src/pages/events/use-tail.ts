// The event stream of the events page: filtered by the server, from any time within the retention period, batched
// before it is rendered. The client reconnects and continues after the last event, so the list stays while the
// connection is lost.

import type { EventType, HoldfastError, HoldfastEvent, Resource } from '@holdfast/sdk';
import { useEffect, useReducer, useRef, useState } from 'react';
import { errorMessage } from '../../api.ts';
import { useLive } from '../../live.tsx';
import { noticeRefusal } from '../../queries.ts';
import { useClient } from '../../session.tsx';
import { EMPTY_TAIL, type Tail, tailAfter } from './tail.ts';

type TailFilter = {
  readonly resource: string | undefined;
  readonly types: readonly string[];
  /** Replays from this time; without it only new events are shown. */
  readonly since: string | undefined;
};

export type Line =
  | { readonly state: 'connecting' | 'live' }
  | { readonly state: 'lost'; readonly because: string | null }
  | { readonly state: 'refused'; readonly error: unknown };

export type UsedTail = Tail & {
  readonly line: Line;
  pause(): void;
  resume(): void;
  again(): void;
};

/** Five renderings per second keep up with any burst and still look live. */
const GATHER_MS = 200;

export const useTail = ({ resource, types, since }: TailFilter): UsedTail => {
  const client = useClient();
  const { recent } = useLive();
  const known = useRef(recent);
  known.current = recent;
  const [tail, step] = useReducer(tailAfter, EMPTY_TAIL);
  const [line, setLine] = useState<Line>({ state: 'connecting' });
  const [attempt, setAttempt] = useState(0);
  const wanted = types.join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens another stream
  useEffect(() => {
    const stop = new AbortController();
    const filter = { types: wanted === '' ? [] : (wanted.split(',') as EventType[]), resource };
    // The events that the shell has received fill the page at once; the stream continues after them.
    const seed = since ? [] : known.current.filter((event) => fits(event, filter));
    step({ kind: 'begin', seed, replayUntilMs: since ? Date.now() : null });
    setLine({ state: 'connecting' });
    let gathered: HoldfastEvent[] = [];
    let timer: number | undefined;
    let wasLive = false;

    const flush = (): void => {
      timer = undefined;
      step({ kind: 'take', fresh: gathered });
      gathered = [];
    };

    const follow = async (): Promise<void> => {
      const start = since ?? known.current[0]?.occurredAt;
      const stream = client.events({
        signal: stop.signal,
        types: filter.types,
        resources: resource ? [resource as Resource] : [],
        ...(start === undefined ? {} : { since: start }),
        onState(update) {
          if (update.state === 'live') wasLive = true;
          if (update.state === 'waiting') setLine({ state: 'lost', because: reasonOf(update.because) });
          else if (update.state === 'live') setLine({ state: 'live' });
          // A server that shuts down normally ends the stream without an error.
          else if (wasLive) setLine((before) => (before.state === 'lost' ? before : { state: 'lost', because: null }));
        },
      });
      for await (const event of stream) {
        gathered.push(event);
        timer ??= window.setTimeout(flush, GATHER_MS);
      }
    };

    follow().catch((error: unknown) => {
      if (stop.signal.aborted) return;
      setLine({ state: 'refused', error });
      noticeRefusal(error);
    });
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [client, resource, wanted, since, attempt]);

  return {
    ...tail,
    line,
    pause: () => step({ kind: 'pause' }),
    resume: () => step({ kind: 'resume' }),
    again: () => setAttempt((before) => before + 1),
  };
};

/** The server's message; null when the server did not answer. */
const reasonOf = (error: HoldfastError): string | null => (error.status === null ? null : errorMessage(error));

type Wanted = { readonly types: readonly EventType[]; readonly resource: string | undefined };

const fits = (event: HoldfastEvent, { types, resource }: Wanted): boolean =>
  (types.length === 0 || types.includes(event.eventType)) && (!resource || event.aggregateType === resource);
