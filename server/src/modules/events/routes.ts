// The route of the event stream: reads the cursor and passes the connection to the stream.

import type { ServerResponse } from 'node:http';
import { streamEvents } from '@holdfast/contract/api/events.ts';
import { parseInstant } from '../../base/instant.ts';
import { bearerOf } from '../../http/caller.ts';
import { type Route, raw } from '../../http/route.ts';
import { isInstant } from '../../http/validation/formats.ts';
import { validationError } from '../../http/validation/messages.ts';

type EventStream = {
  open(request: {
    marketplaceId: string;
    keyId: string;
    credential: string;
    types: readonly string[];
    resources: readonly string[];
    cursorMicros: number | null;
    start(): ServerResponse;
  }): Promise<void>;
};

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // nginx and similar proxies must not buffer the messages.
  'x-accel-buffering': 'no',
  // The connection ends with the stream, so that a stopping server does not wait for the connection.
  connection: 'close',
};

/** The database can hold later times, but they are not exact in a number. No event is later. */
const LATEST_MICROS = Date.UTC(2200, 0) * 1_000;

const cursorOf = (lastEventId: string | undefined, since: string | undefined): number | null => {
  if (lastEventId !== undefined && !isInstant(lastEventId)) {
    throw validationError(['Last-Event-ID must be the id of an event, such as 2026-11-15T09:30:00.000000Z']);
  }
  const text = lastEventId ?? since;
  if (text === undefined) return null;
  return Math.min(Math.max(parseInstant(text) ?? 0, 0), LATEST_MICROS);
};

export const eventRoutes = (parts: { stream: EventStream }): Route[] => [
  raw(streamEvents, async ({ query, caller }, { request, open, sessionToken }) => {
    const lastEventId = request.headers['last-event-id'];
    const cursorMicros = cursorOf(lastEventId === undefined ? undefined : String(lastEventId), query.since);
    await parts.stream.open({
      marketplaceId: caller.marketplaceId,
      keyId: caller.keyId,
      credential: bearerOf(request.headers.authorization) ?? sessionToken ?? '',
      types: query.types ?? [],
      resources: query.resources ?? [],
      cursorMicros,
      start: () => open(200, HEADERS),
    });
  }),
];
