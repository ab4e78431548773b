// Which endpoints of a marketplace have a running sender: it starts, restarts and stops them, and gives them what is due. The changes of
// one endpoint happen one after the other; an endpoint that is slow to stop delays no other.

import type { WebhookCursor, WebhookEndpoint } from '../../webhook-endpoints/endpoint.ts';
import type { DueDelivery, PendingDelivery } from '../pending-queries.ts';
import type { EndpointSender } from './endpoint-sender.ts';

type Cursors = ReadonlyMap<string, WebhookCursor>;

type Options = {
  openSender(of: { endpoint: WebhookEndpoint; cursor: WebhookCursor | undefined }): Promise<EndpointSender>;
  cursors(): Promise<Cursors>;
  /** What a sender has to know when it starts. */
  pending(endpointId: string): Promise<PendingDelivery[]>;
  due(endpointIds: readonly string[]): Promise<DueDelivery[]>;
  onTrouble(message: string, error: unknown): void;
};

type Running = { readonly sender: EndpointSender; readonly mark: string };

/** Changes when the sender has to begin again. */
const markOf = (endpoint: WebhookEndpoint, cursor: WebhookCursor | undefined): string =>
  `${endpoint.updatedAt} ${cursor?.replays ?? 0}`;

/** Runs the changes of each endpoint one after the other. */
const createChanges = ({ onTrouble }: Options) => {
  const last = new Map<string, Promise<void>>();
  return {
    ids: (): Iterable<string> => last.keys(),
    has: (id: string): boolean => last.has(id),
    isEmpty: (): boolean => last.size === 0,
    allEnded: (): Promise<unknown> => Promise.all(last.values()),
    add(id: string, work: () => Promise<void>): void {
      const changing = (last.get(id) ?? Promise.resolve())
        .then(work)
        .catch((error) => onTrouble('the sender of a webhook endpoint could not be started', error))
        .finally(() => {
          if (last.get(id) === changing) last.delete(id);
        });
      last.set(id, changing);
    },
  };
};

/** The senders themselves. */
const createRunning = ({ openSender, cursors, pending, onTrouble }: Options) => {
  const running = new Map<string, Running>();
  /** Those that do not know yet what they have to wait for. */
  const starting = new Map<string, EndpointSender>();

  const stop = async (id: string): Promise<void> => {
    const sender = running.get(id)?.sender ?? starting.get(id);
    running.delete(id);
    await sender?.close().catch((error) => onTrouble('the sender of a webhook endpoint could not be stopped', error));
  };

  return {
    all: (): EndpointSender[] => [...running.values()].map(({ sender }) => sender),
    ids: (): Iterable<string> => running.keys(),
    find: (id: string): EndpointSender | undefined => running.get(id)?.sender,
    /** With these settings and this cursor. */
    isAt: (endpoint: WebhookEndpoint, known: Cursors): boolean =>
      running.get(endpoint.id)?.mark === markOf(endpoint, known.get(endpoint.id)),
    /** From now on it sends nothing. Resolves when what was on its way has ended. */
    stop,
    async restart(endpoint: WebhookEndpoint): Promise<void> {
      const { id } = endpoint;
      await stop(id);
      // What the former sender recorded while it stopped.
      const cursor = (await cursors()).get(id);
      const sender = await openSender({ endpoint, cursor });
      starting.set(id, sender);
      try {
        // Before it is woken for new events, so that none overtakes a failed one of its resource.
        await sender.adopt(() => pending(id));
      } finally {
        starting.delete(id);
      }
      running.set(id, { sender, mark: markOf(endpoint, cursor) });
    },
  };
};

export const createEndpointSenders = (options: Options) => {
  const { due, onTrouble } = options;
  const changes = createChanges(options);
  const running = createRunning(options);
  let enabled: ReadonlyMap<string, WebhookEndpoint> = new Map();

  /** At once, so that no later event is sent to a deleted endpoint or a former address. */
  const stopFormer = (cursors: Cursors): void => {
    for (const id of new Set([...running.ids(), ...changes.ids()])) {
      const endpoint = enabled.get(id);
      if (endpoint && (!running.find(id) || running.isAt(endpoint, cursors))) continue;
      const stopped = running.stop(id);
      changes.add(id, () => stopped.then(() => (endpoint ? undefined : running.stop(id))));
    }
  };

  /** One read for all of them. */
  const adoptDue = (endpointIds: readonly string[]): void => {
    if (endpointIds.length === 0) return;
    const reading = due(endpointIds).catch((error): DueDelivery[] => {
      onTrouble('due webhook deliveries could not be read; the next round reads them', error);
      return [];
    });
    const byEndpoint = reading.then((rows) => Map.groupBy(rows, ({ endpointId }) => endpointId));
    for (const id of endpointIds)
      changes.add(id, async () => running.find(id)?.adopt(async () => (await byEndpoint).get(id) ?? []));
  };

  /** After earlier changes of the endpoint. */
  const keepOne = async (endpoint: WebhookEndpoint, cursors: Cursors): Promise<void> => {
    const { id } = endpoint;
    if (!enabled.has(id)) return;
    if (running.isAt(endpoint, cursors)) await running.find(id)!.adopt(() => due([id]));
    else await running.restart(endpoint);
  };

  return {
    running: running.all,
    hasAny: (): boolean => enabled.size > 0 || running.all().length > 0 || !changes.isEmpty(),
    /** From now on these endpoints have a sender, and no others. */
    keep(endpoints: readonly WebhookEndpoint[], cursors: Cursors): void {
      enabled = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
      stopFormer(cursors);
      const unchanged = endpoints.filter((endpoint) => !changes.has(endpoint.id) && running.isAt(endpoint, cursors));
      adoptDue(unchanged.map(({ id }) => id));
      for (const endpoint of endpoints) {
        if (!unchanged.includes(endpoint)) changes.add(endpoint.id, () => keepOne(endpoint, cursors));
      }
    },
    async close(): Promise<void> {
      await changes.allEnded();
      await Promise.all([...running.ids()].map(running.stop));
    },
  };
};
