// The last events of the marketplace, newest first: those before the page was opened, and those that the stream of the page has received.

import type { HoldfastEvent } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { type Client, isRefusal } from '../../api.ts';
import { useLive } from '../../live.tsx';
import { useClient } from '../../session.tsx';

const SHOWN_MAX = 12;
/** The replay is over long before. The stream would go on, and the page has one already. */
const REPLAY_MS = 3_000;

/** Just before the change that is this far back: most changes have one event or a few. */
const replayStart = async (client: Client): Promise<string | null> => {
  const { items } = await client.audit.logs({ limit: SHOWN_MAX }).page();
  const oldest = items.at(-1);
  return oldest ? new Date(Date.parse(oldest.occurredAt) - 1).toISOString() : null;
};

/** Null while they are loading. */
const useEarlierEvents = (): readonly HoldfastEvent[] | null => {
  const client = useClient();
  const [events, setEvents] = useState<readonly HoldfastEvent[] | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer: number | undefined;
    const replay = async (): Promise<void> => {
      const since = await replayStart(client);
      if (since === null || stop.signal.aborted) return;
      timer = window.setTimeout(() => stop.abort(), REPLAY_MS);
      for await (const event of client.events({ since, signal: stop.signal })) {
        setEvents((before) => [event, ...(before ?? [])].slice(0, SHOWN_MAX));
      }
    };
    replay()
      // A key that is refused is noticed by the stream of the page. Without a replay the live events are shown.
      .catch((error: unknown) => isRefusal(error))
      .finally(() => setEvents((before) => before ?? []));
    return () => {
      window.clearTimeout(timer);
      stop.abort();
    };
  }, [client]);
  return events;
};

export const useRecentEvents = (): readonly HoldfastEvent[] | null => {
  const { recent } = useLive();
  const earlier = useEarlierEvents();
  if (earlier === null && recent.length === 0) return null;
  const known = new Set(recent.map(({ eventId }) => eventId));
  return [...recent, ...(earlier ?? []).filter(({ eventId }) => !known.has(eventId))].slice(0, SHOWN_MAX);
};
