// The event stream as something to read with `for await`. It connects again when the connection ends, goes on where it
// was, and gives every event once. An event counts as handled when the next one is asked for; only then the checkpoint
// moves, so a program that dies sees the event again.

import { refusalOf, unexpected } from './answers.ts';
import type { HoldfastError } from './errors.ts';
import { disconnected, isOurs, isPassing } from './failures.ts';
import type { EventMetadata, EventPayloads, EventResources, Resource } from './printed/event-catalogue.ts';
import { ROUTES } from './printed/routes.ts';
import { type Message, readMessages } from './sse.ts';
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

/** Where the reader's place is kept, so that a program that is started again goes on there. */
export type Checkpoint = {
  /** The cursor that was saved last, or null for none. */
  load(): string | null | Promise<string | null>;
  /** Called when an event has been handled, and before the first one where the stream begins with what happens now. */
  save(cursor: string): void | Promise<void>;
};

export type StreamState =
  | { readonly state: 'connecting'; readonly attempt: number }
  | { readonly state: 'live' }
  | { readonly state: 'waiting'; readonly ms: number; readonly because: HoldfastError };

export type EventsQuery<Type extends EventType = EventType> = {
  /** Replay what came after this time or cursor first; without it, only what happens from now on. */
  since?: string | Date;
  /** Only these, by their exact names. They narrow the type of the events too. */
  types?: readonly Type[];
  /** Only events of these kinds of things. */
  resources?: readonly Resource[];
  /** Wins over `since` once it holds a cursor. */
  checkpoint?: Checkpoint;
  /** Ends the loop, without an error. */
  signal?: AbortSignal;
  /** Told when the connection is made, is live, or waits to be made again. What it throws is ignored. */
  onState?: (state: StreamState) => void;
  /** Connect again when nothing came for so long, pings included; ninety seconds when left out, Infinity for never. */
  silenceMs?: number;
};

export type EventStream<Type extends EventType = EventType> = AsyncIterable<EventOf<Type>> & {
  /** Where the reader is: send it as `since` to go on after the last handled event. */
  readonly cursor: string | null;
};

type Received = Pick<Message, 'id'> & {
  readonly isOpening: boolean;
  /** Null for a ping, and where it only says where the stream begins. */
  readonly event: HoldfastEvent | null;
  readonly isPing: boolean;
};

const EVENT_STREAM = 'text/event-stream';
const SILENCE_MS = 90_000;
const BACK_OFF = { firstMs: 500, mostMs: 15_000 };
/** So many answers in a row that are not the service's, for some ten seconds, are a wrong url and will not pass. */
const STRANGE_MAX = 6;
/** The server resumes exactly; this only guards against a proxy that repeats. */
const REMEMBERED = 1_000;

export const openEvents = <Type extends EventType>(
  transport: Transport,
  ask: EventsQuery<Type> = {},
): EventStream<Type> => {
  const { checkpoint } = ask;
  const silenceMs = limitOf('silenceMs', ask.silenceMs ?? SILENCE_MS);
  let handled: string | null = null;

  const tell = (state: StreamState): void => {
    try {
      ask.onState?.(state);
    } catch {
      // Who only watches must not end the loop.
    }
  };

  const reach = async (cursor: string): Promise<void> => {
    handled = cursor;
    await checkpoint?.save(cursor);
  };

  async function* read(): AsyncGenerator<EventOf<Type>> {
    const stop = new AbortController();
    const onAbort = () => stop.abort(ask.signal!.reason);
    ask.signal?.addEventListener('abort', onAbort, { once: true });
    if (ask.signal?.aborted) onAbort();
    const seen = createMemory();
    try {
      let cursor = (await checkpoint?.load()) ?? sinceOf(ask.since);
      handled = cursor;
      let wasLive = false;
      let strange = 0;
      for (let attempt = 0; ; attempt++) {
        stop.signal.throwIfAborted();
        tell({ state: 'connecting', attempt });
        const line = connect(cursor, stop.signal);
        try {
          for (;;) {
            const message = await next(line);
            if ('lost' in message) {
              stop.signal.throwIfAborted();
              const because = message.lost;
              if (because && !isPassing(because)) strange++;
              // A page in place of a stream that was there will go away; a message that stays broken will not.
              if (because && strange >= STRANGE_MAX && (!wasLive || message.isBroken)) throw because;
              const ms = Math.max((because?.retryAfter ?? 0) * 1_000, backOffMs(attempt, BACK_OFF));
              if (because) tell({ state: 'waiting', ms, because });
              await wait(ms, stop.signal);
              break;
            }
            if (message.isOpening) tell({ state: 'live' });
            wasLive = true;
            const { event, isPing } = message;
            if (event || isPing) strange = 0;
            attempt = strange;
            if (message.id !== null) cursor = message.id;
            // It only says where the stream begins. A program that dies over its first event goes on there.
            if (!event && !isPing && handled === null && cursor !== null) await reach(cursor);
            if (!event || !seen.isNew(event.eventId)) continue;
            yield event as EventOf<Type>;
            await reach(event.occurredAt);
          }
        } finally {
          await line.return(undefined);
        }
      }
    } catch (error) {
      // Aborting is how a reader says that it has enough.
      if (ask.signal?.aborted && error === ask.signal.reason) return;
      throw error;
    } finally {
      ask.signal?.removeEventListener('abort', onAbort);
      stop.abort();
    }
  }

  async function* connect(cursor: string | null, signal: AbortSignal): AsyncGenerator<Received | Lost> {
    const query = { types: ask.types ?? [], resources: ask.resources ?? [] };
    const url = transport.urlOf(ROUTES.streamEvents, { query });
    const silence = watchSilence(silenceMs, signal);
    try {
      const opening = transport.open(ROUTES.streamEvents, {
        query,
        accept: EVENT_STREAM,
        headers: cursor === null ? {} : { 'last-event-id': cursor },
        signal: silence.signal,
      });
      try {
        const response = await opening;
        if (!response.ok) throw refusalOf(await response.text(), response);
        const isStream = response.headers.get('content-type')?.startsWith(EVENT_STREAM);
        if (!isStream || !response.body) throw unexpected(await response.text(), response);
        let isOpening = true;
        for await (const message of readMessages(response.body, silence.heard)) {
          // However long the reader takes over it, that is not the server's silence.
          silence.hold();
          const isPing = message.event === 'ping';
          const event = isPing || message.data === '' ? null : eventOf(message.data);
          if (event === undefined) return yield { lost: unexpected(message.data, response), isBroken: true };
          yield { id: message.id, isOpening, event, isPing };
          silence.heard();
          isOpening = false;
        }
      } catch (error) {
        throw isOurs(error) ? error : disconnected({ url }, error);
      }
    } finally {
      silence.end();
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    get cursor() {
      return handled;
    },
  };
};

const sinceOf = (since: string | Date | undefined): string | null =>
  since instanceof Date ? since.toISOString() : (since ?? null);

/** A connection that is to be made again; null when the server ended it in good order, as it does when it stops. */
type Lost = {
  readonly lost: HoldfastError | null /** Because of a message that is none. */;
  readonly isBroken: boolean;
};

/** A bad key or a bad filter stays bad, and is thrown; anything else may pass, what is not the service's answer too. */
const next = async (line: AsyncGenerator<Received | Lost>): Promise<Received | Lost> => {
  try {
    const { done, value } = await line.next();
    return done ? { lost: null, isBroken: false } : value;
  } catch (error) {
    if (!isOurs(error) || !(isPassing(error) || error.code === 'UNEXPECTED_ANSWER')) throw error;
    return { lost: error, isBroken: false };
  }
};

/** Undefined when it is none. */
const eventOf = (text: string): HoldfastEvent | undefined => {
  try {
    const event = JSON.parse(text);
    return typeof event?.eventId === 'string' && typeof event.occurredAt === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
};

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

/** Aborts when the line has been dead for too long, or when the reader has enough. */
const watchSilence = (ms: number, signal: AbortSignal) => {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const fall = () => controller.abort(new Error(`silent for ${ms} ms`));
  let timer = setTimeout(fall, ms);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(fall, ms);
    },
    hold: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      controller.abort();
    },
  };
};
