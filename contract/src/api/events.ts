// The event stream. Its reference page explains how to miss no event.

import Type from 'typebox';
import { AGGREGATES } from '../event-fields.ts';
import { EVENTS, EventEnvelope, type EventType } from '../events.ts';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Strict, Timestamp } from './fields.ts';

const EventTypeName = Type.Union((Object.keys(EVENTS) as EventType[]).map((type) => Type.Literal(type)));
const AggregateName = Type.Union(AGGREGATES.map((name) => Type.Literal(name)));

export const streamEvents = endpoint({
  method: 'GET',
  path: '/events',
  access: 'any',
  tag: 'Events',
  summary: 'Stream events',
  description: `Server-sent events of the key's marketplace, in the order in which they were committed.

Each message has \`id\` (the event's \`occurredAt\`), \`event\` (its \`eventType\`) and \`data\` (the envelope as JSON). A \`ping\`
message without an id comes at a regular interval (30 seconds unless the server says otherwise).

Without a cursor the stream starts with new events. Its first message carries no data but an \`id\`: the current cursor, for a
connection that breaks before its first event. With the header \`Last-Event-ID\`, or else with \`since\`, the stream first replays
the stored events after that time, not including it, and then continues live. A cursor older than the retention time (30 days
unless the server says otherwise), or in a month that was archived, replays all stored events. \`metadata.position\` counts all events of the
marketplace; \`holdfast archive show <month> --table events\` prints those that were archived.

Alerts (\`system.*\`) come only on a stream that names them in \`types\` or \`resources\`. They and other events outside the filter have
positions too: a stream leaves those out. A stream with \`resources\` set to every resource, \`System\` too, has no gap.

Delivery is at least once: de-duplicate by \`eventId\`. The stream ends when the reader is too slow, when the key expires and when the
server restarts: connect again with the last \`id\` as \`Last-Event-ID\`.

\`POST /webhook-endpoints\` is the other way to get the same events: the server sends them to an address of yours.

The number of open streams is limited for each key and for each marketplace. One more is 429 \`TOO_MANY_STREAMS\` with the limit.`,
  query: Strict({
    types: Type.Optional(
      Type.Array(EventTypeName, {
        maxItems: LIMITS.streamFilters,
        description: 'Only these event types; repeat the parameter for several. Exact names, no wildcards.',
      }),
    ),
    resources: Type.Optional(
      Type.Array(AggregateName, {
        maxItems: LIMITS.streamFilters,
        description: 'Only events of these resources; repeat the parameter for several.',
      }),
    ),
    since: Type.Optional(Timestamp('Replay events after this time. The header `Last-Event-ID` takes precedence.')),
  }),
  status: 200,
  wrapping: 'raw',
  data: EventEnvelope,
  errors: ['TOO_MANY_STREAMS', 'SERVICE_UNAVAILABLE'],
});
