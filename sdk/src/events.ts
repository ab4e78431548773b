// The event stream as an async iterable. It connects again when the connection ends, resumes after the last event, and gives every
// event once. An event counts as handled when the next one is requested. Only then the checkpoint moves, so a program that crashes
// receives the event again.

import type { HoldfastError } from './errors.ts';
import { connect, type Lost, nextMessage } from './event-connection.ts';
import { isPassing } from './failures.ts';
import type { EventMetadata, EventPayloads, EventResources, Resource } from './printed/event-catalogue.ts';
import type { Transport } from './transport.ts';
import { backOffMs, limitOf, wait } from './waiting.ts';

export type EventType = keyof EventPayloads;

/** One event; comparing `eventType` narrows `payload`. */
export type EventOf<Type extends EventType> = {
  [Each in Type]: {
    readonly eventId: string;
    readonly eventType: Each;
    /** Strictly increasing within a marketplace; also the cursor that resumes after this event. */
    readonly occurredAt: string;
    readonly aggregateId: string;
    readonly aggregateType: EventResources[Each];
    readonly payload: EventPayloads[Each];
    readonly metadata: EventMetadata;
  };
}[Type];

export type HoldfastEvent = EventOf<EventType>;

/** Stores the position of the reader, so that a restarted program continues there. */
export type Checkpoint = {
  /** The cursor that was saved last; null when there is none. */
  load(): string | null | Promise<string | null>;
  /** Called after an event was handled, and before the first event when the stream begins with new events. */
  save(cursor: string): void | Promise<void>;
};

export type StreamState =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'live' }
  | { readonly state: 'waiting'; readonly ms: number; readonly because: HoldfastError };

export type EventsQuery<Type extends EventType = EventType> = {
  /** Replays the events after this time or cursor first. Without it the stream starts with new events. */
  since?: string | Date;
  /** Only these event types, by their exact names. They also narrow the type of the events. */
  types?: readonly Type[];
  /** Only events of these kinds of resources. */
  resources?: readonly Resource[];
  /** Takes precedence over `since` once it contains a cursor. */
  checkpoint?: Checkpoint;
  /** Ends the loop, without an error. */
  signal?: AbortSignal;
  /** Called when the connection is opened, is live, or waits for the next attempt. Errors of the callback are ignored. */
  onState?: (state: StreamState) => void;
  /** Connects again after this time without data, pings included. The default is ninety seconds; Infinity means never. */
  silenceMs?: number;
};

export type EventStream<Type extends EventType = EventType> = AsyncIterable<EventOf<Type>> & {
  /** The position of the reader: send it as `since` to continue after the last handled event. */
  readonly cursor: string | null;
};

const SILENCE_MS = 90_000;
const BACK_OFF = { firstMs: 500, mostMs: 15_000 };
/** This many foreign answers in a row, for about ten seconds, mean a wrong URL and are a permanent failure. */
const STRANGE_MAX = 6;
/** The server resumes exactly; this only protects against a proxy that repeats messages. */
const REMEMBERED = 1_000;

export const openEvents = <Type extends EventType>(
  transport: Transport,
  ask: EventsQuery<Type> = {},
): EventStream<Type> => {
  const { checkpoint } = ask;
  const silenceMs = limitOf('silenceMs', ask.silenceMs ?? SILENCE_MS);
  const query = { types: ask.types ?? [], resources: ask.resources ?? [] };
  const settings = { transport, query, silenceMs };
  let handled: string | null = null;

  const report = reporterOf(ask.onState);
  const reach = async (cursor: string): Promise<void> => {
    handled = cursor;
    await checkpoint?.save(cursor);
  };

  async function* read(): AsyncGenerator<EventOf<Type>> {
    const stop = abortWith(ask.signal);
    const seen = createMemory();
    try {
      let cursor = (await checkpoint?.load()) ?? sinceOf(ask.since);
      handled = cursor;
      let wasLive = false;
      let strange = 0;
      for (let attempt = 0; ; attempt++) {
        stop.signal.throwIfAborted();
        report({ state: 'connecting', attempt });
        const connection = connect(settings, { cursor, signal: stop.signal });
        try {
          for (;;) {
            const message = await nextMessage(connection);
            if ('lost' in message) {
              stop.signal.throwIfAborted();
              const because = message.lost;
              if (because && !isPassing(because)) strange++;
              const ms = delayAfter(message, { attempt, strange, wasLive });
              if (because) report({ state: 'waiting', ms, because });
              await wait(ms, stop.signal);
              break;
            }
            if (message.isOpening) report({ state: 'live' });
            wasLive = true;
            const { event, isPing } = message;
            if (event || isPing) strange = 0;
            attempt = strange;
            if (message.id !== null) cursor = message.id;
            // The message only carries the starting cursor. A program that crashes at its first event continues there.
            if (!event && !isPing && handled === null && cursor !== null) await reach(cursor);
            if (!event || !seen.isNew(event.eventId)) continue;
            yield event as EventOf<Type>;
            await reach(event.occurredAt);
          }
        } finally {
          await connection.return(undefined);
        }
      }
    } catch (error) {
      // An abort is the normal way to stop reading.
      if (ask.signal?.aborted && error === ask.signal.reason) return;
      throw error;
    } finally {
      stop.end();
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    get cursor() {
      return handled;
    },
  };
};

const reporterOf =
  (onState: EventsQuery['onState']) =>
  (state: StreamState): void => {
    try {
      onState?.(state);
    } catch {
      // An observer must not end the loop.
    }
  };

/** A signal that is aborted with the caller's signal, or when the reading ends. */
const abortWith = (given: AbortSignal | undefined) => {
  const stop = new AbortController();
  const onAbort = () => stop.abort(given!.reason);
  given?.addEventListener('abort', onAbort, { once: true });
  if (given?.aborted) onAbort();
  return {
    signal: stop.signal,
    end(): void {
      given?.removeEventListener('abort', onAbort);
      stop.abort();
    },
  };
};

type Attempts = { readonly attempt: number; readonly strange: number; readonly wasLive: boolean };

/** Time to wait before the next connection. Throws when the failure is permanent. */
const delayAfter = ({ lost, isBroken }: Lost, { attempt, strange, wasLive }: Attempts): number => {
  // A foreign page in place of a working stream is temporary; a message that stays broken is not.
  if (lost && strange >= STRANGE_MAX && (!wasLive || isBroken)) throw lost;
  return Math.max((lost?.retryAfter ?? 0) * 1_000, backOffMs(attempt, BACK_OFF));
};

const sinceOf = (since: string | Date | undefined): string | null =>
  since instanceof Date ? since.toISOString() : (since ?? null);

const createMemory = () => {
  const seen = new Set<string>();
  return {
    isNew(id: string): boolean {
      if (seen.has(id)) return false;
      seen.add(id);
      if (seen.size > REMEMBERED) seen.delete(seen.values().next().value!);
      return true;
    },
  };
};
