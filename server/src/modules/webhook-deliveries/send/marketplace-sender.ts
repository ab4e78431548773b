// The senders of one marketplace: one for each enabled endpoint, with the events and the recorder that they share.

import { type Clock, formatInstant, parseInstant } from '../../../base/instant.ts';
import type { Submit } from '../../../commit/command.ts';
import { runCommand } from '../../../commit/command.ts';
import type { KeyKeeper } from '../../../ledger/keys/key-keeper.ts';
import { disableEndpoint } from '../../webhook-endpoints/change-endpoint.ts';
import { typesOf, type WebhookCursor, type WebhookEndpoint } from '../../webhook-endpoints/endpoint.ts';
import type { EndpointReads } from '../../webhook-endpoints/queries.ts';
import { openSigningSecrets } from '../../webhook-endpoints/secrets.ts';
import { deliveryIdOf } from '../delivery.ts';
import type { DeliveryReads, PendingDelivery } from '../queries.ts';
import type { RecordDeliveries } from '../record-deliveries.ts';
import { type AttemptParts, createAttempt } from './attempt.ts';
import { createEndpointSender, type EndpointSender } from './endpoint-sender.ts';
import { createRecentEvents, type RecentEvents } from './recent-events.ts';
import { createRecorder, type Recorder } from './recorder.ts';
import { HOLDING_TRIES_MAX, REMEMBERED_MS } from './send-queue.ts';
import { type Signer, signerOf } from './sign.ts';

export type SenderParts = Pick<AttemptParts, 'post' | 'watch'> & {
  readonly endpoints: Pick<EndpointReads, 'enabled' | 'cursors'>;
  readonly deliveries: Pick<DeliveryReads, 'pending' | 'envelope' | 'oldestPosition'>;
  listEvents: Parameters<typeof createRecentEvents>[0]['listEvents'];
  findStart(of: { marketplaceId: string; cursorMicros: number | null }): Promise<{ head: number; after: number }>;
  readonly submit: Submit;
  readonly record: RecordDeliveries;
  readonly keeper: KeyKeeper;
  readonly clock: Clock;
  readonly disableAfterMs: number;
  onTrouble(message: string, error: unknown): void;
};

/** More wait in the database, and are read when some of these have ended. */
const PENDING_MAX = 10_000;
/** How long opened secrets are used. A rotation is noticed at once. */
const SIGNERS_MS = 60_000;

type Running = { readonly sender: EndpointSender; readonly mark: string };

/** Changes when the sender has to begin again. */
const markOf = (endpoint: WebhookEndpoint, cursor: WebhookCursor | undefined): string =>
  `${endpoint.updatedAt} ${cursor?.replays ?? 0}`;

const createSigners = (
  parts: SenderParts,
  { marketplaceId, endpoint }: { marketplaceId: string; endpoint: WebhookEndpoint },
) => {
  let opened: { readonly signers: Promise<readonly Signer[]>; readonly until: number } | null = null;
  const place = { marketplaceId, webhookEndpointId: endpoint.id };
  /** Until the overlap of a rotation ends, and not longer than a while. */
  const untilMs = (): number => {
    const ends = endpoint.previousExpiresAt === null ? null : parseInstant(endpoint.previousExpiresAt)! / 1_000;
    const latest = Date.now() + SIGNERS_MS;
    return ends !== null && ends > Date.now() ? Math.min(ends, latest) : latest;
  };
  const open = async (): Promise<readonly Signer[]> => {
    const secrets = await openSigningSecrets(parts.keeper, { endpoint, place, now: formatInstant(parts.clock()) });
    return secrets.map((secret) => signerOf(endpoint.signature, secret));
  };
  return (): Promise<readonly Signer[]> => {
    if (opened === null || opened.until <= Date.now()) {
      const signers = open();
      opened = { signers, until: untilMs() };
      signers.catch(() => {
        opened = null;
      });
    }
    return opened.signers;
  };
};

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

type OfEndpoint = { readonly marketplaceId: string; readonly endpointId: string };

const ofPending = (of: OfEndpoint & { dueBy: string | null }) => ({
  ...of,
  holdingTries: HOLDING_TRIES_MAX,
  limit: PENDING_MAX,
});

/** Those that hold others back, and those that are due before the next read. */
const readDue = ({ deliveries, clock }: SenderParts, of: OfEndpoint): Promise<PendingDelivery[]> =>
  deliveries.pending(ofPending({ ...of, dueBy: formatInstant(clock() + REMEMBERED_MS * 1_000) }));

type Shared = { readonly events: RecentEvents; readonly recorder: Recorder };

const startSender = async (
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
  const created = parseInstant(endpoint.createdAt)!;
  const position = cursor
    ? Number(cursor.position)
    : (await parts.findStart({ marketplaceId, cursorMicros: created })).after;
  // The time of a later event can be earlier, when a clock is set back. So the start is found once.
  if (!cursor)
    void recorder.record({ sent: null, progress: { endpointId: endpoint.id, position, replays: 0, missed: 0 } });
  const types = typesOf(endpoint);
  const disable = createDisable(parts, { marketplaceId, endpoint });
  const sender = createEndpointSender({
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
    readPending: () => deliveries.pending(ofPending({ marketplaceId, endpointId: endpoint.id, dueBy: null })),
    onTrouble: parts.onTrouble,
  });
  // Before any other sender can take new events, so that none overtakes a failed one of its resource.
  await sender.adopt(() => readDue(parts, { marketplaceId, endpointId: endpoint.id }));
  return sender;
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
  const running = new Map<string, Running>();
  /** The changes of each endpoint, one after the other. An endpoint that is slow to stop delays no other. */
  const changes = new Map<string, Promise<void>>();
  let enabled: ReadonlySet<string> = new Set();

  const stop = async (id: string): Promise<void> => {
    const one = running.get(id);
    running.delete(id);
    await one?.sender.close();
  };

  const keepRunning = async (endpoint: WebhookEndpoint, cursors: ReadonlyMap<string, WebhookCursor>): Promise<void> => {
    const { id } = endpoint;
    const one = running.get(id);
    if (one?.mark === markOf(endpoint, cursors.get(id))) {
      await one.sender.adopt(() => readDue(parts, { marketplaceId, endpointId: id }));
      return;
    }
    await stop(id);
    // What the former sender recorded while it stopped.
    const cursor = (await parts.endpoints.cursors(marketplaceId)).get(id);
    const sender = await startSender(parts, { marketplaceId, endpoint, cursor, events, recorder });
    running.set(id, { sender, mark: markOf(endpoint, cursor) });
  };

  const change = (id: string, work: () => Promise<void>): void => {
    const after = changes.get(id) ?? Promise.resolve();
    const changing = after
      .then(work)
      .catch((error) => parts.onTrouble('the sender of a webhook endpoint could not be started', error))
      .finally(() => {
        if (changes.get(id) === changing) changes.delete(id);
      });
    changes.set(id, changing);
  };

  const reload = async (): Promise<void> => {
    const [endpoints, cursors] = await Promise.all([
      parts.endpoints.enabled(marketplaceId),
      parts.endpoints.cursors(marketplaceId),
    ]);
    enabled = new Set(endpoints.map(({ id }) => id));
    for (const id of running.keys()) if (!enabled.has(id)) change(id, () => stop(id));
    for (const endpoint of endpoints) change(endpoint.id, () => keepRunning(endpoint, cursors));
  };

  return {
    /** Reads the endpoints again, and what is due. */
    reload,
    hasEndpoints: (): boolean => enabled.size > 0 || running.size > 0 || changes.size > 0,
    /** Sends what is new. */
    async refresh(): Promise<void> {
      await events.refresh();
      for (const { sender } of running.values()) sender.wake();
      events.forget(Math.min(...[...running.values()].map(({ sender }) => sender.position())));
    },
    async close(): Promise<void> {
      // What cannot be recorded must not delay the end: it is sent again.
      void recorder.close();
      await Promise.all(changes.values());
      await Promise.all([...running.keys()].map(stop));
      await recorder.close();
    },
  };
};
