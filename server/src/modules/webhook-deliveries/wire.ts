// Wires webhooks out: the routes of endpoints and deliveries, and the sender. It decides nothing.

import type pg from 'pg';
import { createGate } from '../../base/concurrency.ts';
import { type Clock, parseInstant } from '../../base/instant.ts';
import type { Submit } from '../../commit/command.ts';
import type { ReactionHandlers } from '../../commit/reactions.ts';
import type { Config } from '../../config/config.ts';
import { allowsPrivateTargets } from '../../config/reach.ts';
import type { Route } from '../../http/route.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import { createPost } from '../../outgoing/post.ts';
import { type Connection, openLane } from '../../postgres/connection.ts';
import type { Notifier } from '../../postgres/notifier.ts';
import { findStart, listEvents } from '../../stream/event-queries.ts';
import { createEndpointReads, type EndpointReads } from '../webhook-endpoints/queries.ts';
import { webhookEndpointRoutes } from '../webhook-endpoints/routes.ts';
import { createEndpointHealth } from './endpoint-health.ts';
import { createPendingReads } from './pending-queries.ts';
import { createDeliveryReads } from './queries.ts';
import { createRecordDeliveries } from './record-deliveries.ts';
import { webhookDeliveryRoutes } from './routes.ts';
import type { AttemptParts } from './send/attempt.ts';
import { createDispatcher, type Dispatcher } from './send/dispatcher.ts';

type Options = {
  readonly config: Config;
  readonly pool: pg.Pool;
  readonly connection: Connection;
  readonly keeper: KeyKeeper;
  readonly submit: Submit;
  readonly reactions: ReactionHandlers;
  readonly notifier: Pick<Notifier, 'on' | 'onGap' | 'notify'>;
  readonly hasSandbox: boolean;
  readonly clock: Clock;
  readonly watch: AttemptParts['watch'];
  onTrouble(message: string, error: unknown): void;
};

const TIMEOUT_MS = 15_000;
/** Requests on their way, of all marketplaces together. */
const REQUESTS_MAX = 1_024;
/** Transactions at once, so that most connections of the pool are left for requests. */
const RECORDING_MAX = 3;

type WebhooksOut = {
  readonly routes: readonly Route[];
  /** About all marketplaces, for metrics. */
  readonly figures: { readonly summary: EndpointReads['summary']; readonly pending: () => Promise<number> };
  start(): void;
  close(): Promise<void>;
};

export const wireWebhooksOut = (options: Options): WebhooksOut => {
  const { config, pool, connection, keeper, submit, reactions, notifier, clock, onTrouble } = options;
  const { secretOverlapMs: overlapMs, disableAfterMs } = config.webhooksOut;
  const target = { allowsPrivate: allowsPrivateTargets(config, { hasSandbox: options.hasSandbox }) };
  const endpoints = createEndpointReads(pool);
  const deliveries = createDeliveryReads(pool);
  const headOf = async (marketplaceId: string): Promise<number> =>
    (await findStart(pool, { marketplaceId, cursorMicros: null })).head;
  const startOf = async ({ marketplaceId, createdAt }: { marketplaceId: string; createdAt: string }) =>
    (await findStart(pool, { marketplaceId, cursorMicros: parseInstant(createdAt) })).after;
  const { post, close: closePost } = createPost({ ...target, timeoutMs: TIMEOUT_MS, atOnce: REQUESTS_MAX });
  let dispatcher: Dispatcher | null = null;

  reactions.on('webhook-endpoint-changed', (_, { marketplaceId }) =>
    notifier.notify('holdfast_webhooks', [marketplaceId]),
  );
  notifier.on('holdfast_webhooks', (ids) => dispatcher?.reload(ids));
  notifier.on('holdfast_events', (ids) => dispatcher?.refresh(ids));
  notifier.onGap(() => dispatcher?.reloadAll());

  return {
    routes: [
      ...webhookEndpointRoutes({
        reads: endpoints,
        health: createEndpointHealth({ reads: deliveries, headOf, startOf, clock }),
        keeper,
        target,
        overlapMs,
        clock,
      }),
      ...webhookDeliveryRoutes({ reads: deliveries, endpoints, submit, startOf }),
    ],
    figures: { summary: endpoints.summary, pending: deliveries.countPending },
    start() {
      const record = createRecordDeliveries(pool);
      const gate = createGate({ atOnce: RECORDING_MAX });
      dispatcher = createDispatcher({
        endpoints,
        deliveries: { ...deliveries, ...createPendingReads(pool) },
        listEvents: (page) => listEvents(pool, page),
        findStart: (of) => findStart(pool, of),
        marketplaces: endpoints.marketplaces,
        connect: () => openLane(connection),
        submit,
        record: (recording) => gate(() => record(recording)),
        keeper,
        post,
        watch: options.watch,
        clock,
        disableAfterMs,
        onTrouble,
      });
    },
    async close() {
      await dispatcher?.close();
      closePost();
    },
  };
};
