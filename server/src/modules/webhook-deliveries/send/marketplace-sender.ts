// The senders of one marketplace: one for each enabled endpoint, with the events and the recorder that they share.

import { type Clock, formatInstant, parseInstant } from '../../../base/instant.ts';
import type { Submit } from '../../../commit/command.ts';
import { runCommand } from '../../../commit/command.ts';
import type { KeyKeeper } from '../../../ledger/keys/key-keeper.ts';
import { disableEndpoint } from '../../webhook-endpoints/change-endpoint.ts';
import { typesOf, type WebhookCursor, type WebhookEndpoint } from '../../webhook-endpoints/endpoint.ts';
import type { EndpointReads } from '../../webhook-endpoints/queries.ts';
import { deliveryIdOf } from '../delivery.ts';
import type { PendingReads } from '../pending-queries.ts';
import type { DeliveryReads } from '../queries.ts';
import type { RecordDeliveries } from '../record-deliveries.ts';
import { type AttemptParts, createAttempt } from './attempt.ts';
import { createEndpointSender, type EndpointSender } from './endpoint-sender.ts';
import { createEndpointSenders } from './endpoint-senders.ts';
import { createRecentEvents, type RecentEvents } from './recent-events.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { REMEMBERED_MS } from './send-queue.ts';
import { createSigners } from './signers.ts';

export type SenderParts = Pick<AttemptParts, 'post' | 'watch'> & {
  readonly endpoints: Pick<EndpointReads, 'enabled' | 'cursors'>;
  readonly deliveries: PendingReads & Pick<DeliveryReads, 'envelope' | 'oldestPosition'>;
  listEvents: Parameters<typeof createRecentEvents>[0]['listEvents'];
  findStart(of: { marketplaceId: string; cursorMicros: number | null }): Promise<{ head: number; after: number }>;
  readonly submit: Submit;
  readonly record: RecordDeliveries;
  readonly keeper: KeyKeeper;
  readonly clock: Clock;
  readonly disableAfterMs: number;
  onTrouble(message: string, error: unknown): void;
};

/** Of an endpoint that begins or answers again. The others are tried when they are due. */
const PENDING_MAX = 10_000;
/** Of each endpoint in one round. More are read in the next ones. */
const DUE_MAX = 2_000;

const hasFailedFor = ({ failingSince }: WebhookCursor, { clock, disableAfterMs }: SenderParts): boolean =>
  failingSince !== null && clock() - parseInstant(failingSince)! >= disableAfterMs * 1_000;

/** A failed attempt to disable is made again with the next failed delivery. */
const createDisable = (
  { submit, onTrouble }: SenderParts,
  { marketplaceId, endpoint: { id, url } }: { marketplaceId: string; endpoint: WebhookEndpoint },
) => {
  const context = { marketplaceId, actor: { type: 'system', id: 'webhook-sender' }, requestId: id } as const;
  return (disabledReason: 'GONE' | 'FAILED_FOR_DAYS'): void => {
    runCommand(submit, { command: disableEndpoint, input: { id, url, disabledReason }, context }).catch((error) =>
      onTrouble('a webhook endpoint could not be disabled', error),
    );
  };
};

/** Later ones are read by a later round. */
const dueBy = ({ clock }: SenderParts): string => formatInstant(clock() + REMEMBERED_MS * 1_000);

type Shared = { readonly events: RecentEvents; readonly recorder: Recorder };

const openSender = async (
  parts: SenderParts,
  {
    marketplaceId,
    endpoint,
    cursor,
    events,
    recorder,
  }: Shared & {
    marketplaceId: string;
    endpoint: WebhookEndpoint;
    cursor: WebhookCursor | undefined;
  },
): Promise<EndpointSender> => {
  const { deliveries } = parts;
  const of = { marketplaceId, endpointId: endpoint.id };
  const created = parseInstant(endpoint.createdAt)!;
  const position = cursor
    ? Number(cursor.position)
    : (await parts.findStart({ marketplaceId, cursorMicros: created })).after;
  // The time of a later event can be earlier, when a clock is set back. So the start is found once.
  if (!cursor)
    void recorder.record({ sent: null, progress: { endpointId: endpoint.id, position, replays: 0, missed: 0 } });
  const types = typesOf(endpoint);
  const disable = createDisable(parts, { marketplaceId, endpoint });
  return createEndpointSender({
    endpointId: endpoint.id,
    types: types && new Set(types),
    position,
    replays: cursor?.replays ?? 0,
    failures: cursor?.failures ?? 0,
    events,
    recorder,
    deliveryIdOf: (event) => deliveryIdOf(endpoint.id, event),
    onRecorded(cursor) {
      if (hasFailedFor(cursor, parts)) disable('FAILED_FOR_DAYS');
    },
    onGone: () => disable('GONE'),
    attempt: createAttempt({
      ...parts,
      marketplaceId,
      endpoint,
      signers: createSigners(parts, { marketplaceId, endpoint }),
      readEnvelope: (deliveryId) => deliveries.envelope(marketplaceId, deliveryId),
    }),
    readPending: () => deliveries.waiting({ ...of, limit: PENDING_MAX }),
    onTrouble: parts.onTrouble,
  });
};

export type MarketplaceSender = Awaited<ReturnType<typeof startMarketplaceSender>>;

export const startMarketplaceSender = async (parts: SenderParts, marketplaceId: string) => {
  const { head } = await parts.findStart({ marketplaceId, cursorMicros: null });
  const events = createRecentEvents({
    marketplaceId,
    listEvents: parts.listEvents,
    oldestPosition: () => parts.deliveries.oldestPosition(marketplaceId),
    head,
  });
  const recorder = createRecorder({
    submit: (results) => parts.record({ ...results, marketplaceId, now: formatInstant(parts.clock()) }),
    onTrouble: parts.onTrouble,
  });
  const senders = createEndpointSenders({
    openSender: (of) => openSender(parts, { ...of, marketplaceId, events, recorder }),
    cursors: () => parts.endpoints.cursors(marketplaceId),
    pending: (endpointId) =>
      parts.deliveries.pending({ marketplaceId, endpointId, dueBy: dueBy(parts), limit: PENDING_MAX }),
    due: (endpointIds) => parts.deliveries.due({ marketplaceId, endpointIds, dueBy: dueBy(parts), limit: DUE_MAX }),
    onTrouble: parts.onTrouble,
  });

  return {
    /** Reads the endpoints again, and what is due. */
    async reload(): Promise<void> {
      const [endpoints, cursors] = await Promise.all([
        parts.endpoints.enabled(marketplaceId),
        parts.endpoints.cursors(marketplaceId),
      ]);
      senders.keep(endpoints, cursors);
    },
    hasEndpoints: senders.hasAny,
    /** Sends what is new. */
    async refresh(): Promise<void> {
      await events.refresh();
      for (const sender of senders.running()) sender.wake();
      events.forget(Math.min(...senders.running().map((sender) => sender.position())));
    },
    async close(): Promise<void> {
      // What cannot be recorded must not delay the end: it is sent again.
      void recorder.close();
      await senders.close();
      await recorder.close();
    },
  };
};
