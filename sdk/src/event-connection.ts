// One connection to the event stream: opens it, reads its messages, and ends it after too long a silence. It never connects again;
// the reader in events.ts does.

import { refusalOf, unexpected } from './answers.ts';
import type { HoldfastError } from './errors.ts';
import type { HoldfastEvent } from './events.ts';
import { disconnected, isOurs, isPassing } from './failures.ts';
import { ROUTES } from './printed/routes.ts';
import { type Message, readMessages } from './sse.ts';
import type { Transport } from './transport.ts';

const EVENT_STREAM = 'text/event-stream';

export type ConnectionSettings = {
  readonly transport: Transport;
  readonly query: { readonly types: readonly string[]; readonly resources: readonly string[] };
  readonly silenceMs: number;
};

export type Received = Pick<Message, 'id'> & {
  readonly isOpening: boolean;
  /** Null for a ping, and for the message that only carries the starting cursor. */
  readonly event: HoldfastEvent | null;
  readonly isPing: boolean;
};

/** A connection that has to be opened again; null when the server ended it cleanly, as it does when it stops. */
export type Lost = {
  readonly lost: HoldfastError | null;
  /** The connection was lost because of a message that is not an event. */
  readonly isBroken: boolean;
};

/** A bad key or a bad filter is permanent and thrown. Everything else may be temporary, foreign answers included. */
export const nextMessage = async (line: AsyncGenerator<Received | Lost>): Promise<Received | Lost> => {
  try {
    const { done, value } = await line.next();
    return done ? { lost: null, isBroken: false } : value;
  } catch (error) {
    if (!isOurs(error) || !(isPassing(error) || error.code === 'UNEXPECTED_ANSWER')) throw error;
    return { lost: error, isBroken: false };
  }
};

/** Undefined when the text is not an event. */
const eventOf = (text: string): HoldfastEvent | undefined => {
  try {
    const event = JSON.parse(text);
    return typeof event?.eventId === 'string' && typeof event.occurredAt === 'string' ? event : undefined;
  } catch {
    return undefined;
  }
};

export async function* connect(
  { transport, query, silenceMs }: ConnectionSettings,
  { cursor, signal }: { cursor: string | null; signal: AbortSignal },
): AsyncGenerator<Received | Lost> {
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
        // The time that the reader takes does not count as silence of the server.
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

/** Aborts when the connection was silent for too long, or when the reader stops. */
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
