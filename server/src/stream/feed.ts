// The only reader of the event table in this process. It remembers the last position of every marketplace with an open stream and
// reads on from there when it is notified, and at a slow interval. Positions are gapless and become visible in order, because they
// are assigned under the marketplace's lock until the commit. So everything after the last position is complete, and nothing is
// buffered, sorted or compared.

import type { StreamEvent } from './packet.ts';
import type { Reader } from './reader.ts';
import { createDistributor, type DistributorOptions, newTopic, removeReader, type Topic } from './topic.ts';

type FedEvent = StreamEvent & { readonly marketplaceId: string };
export type Cursor = { readonly marketplaceId: string; readonly position: number };

export type FeedOptions = DistributorOptions & {
  /** `onFailure`: some marketplaces could not be read, and the others are in the answer. */
  eventsAfter(request: {
    cursors: readonly Cursor[];
    limit: number;
    onFailure(error: unknown): void;
  }): Promise<FedEvent[]>;
  /** How long a lost notification can delay an event. */
  pollEveryMs: number;
};

const TOPICS_PER_READ = 100;
const EVENTS_PER_TOPIC = 200;

/** Reads the topics that are due, one statement at a time, until none is due. */
const createTopicReader = (options: FeedOptions) => {
  const distribute = createDistributor(options);
  const due = new Set<Topic>();
  let reading: Promise<void> | null = null;
  let isClosed = false;

  const readOnce = async (): Promise<void> => {
    const batch = [...due].slice(0, TOPICS_PER_READ);
    for (const topic of batch) due.delete(topic);
    try {
      // The next poll reads the marketplaces that failed.
      const onFailure = (error: unknown): void => options.onTrouble('events could not be read', error);
      const events = await options.eventsAfter({ cursors: batch, limit: EVENTS_PER_TOPIC, onFailure });
      const byMarketplace = Map.groupBy(events, (event) => event.marketplaceId);
      for (const topic of batch) {
        const own = byMarketplace.get(topic.marketplaceId);
        if (own === undefined) continue;
        if (own.length === EVENTS_PER_TOPIC) due.add(topic);
        await distribute(topic, own);
      }
    } catch (error) {
      for (const topic of batch) due.add(topic);
      throw error;
    }
  };

  const readAll = async (): Promise<void> => {
    try {
      while (due.size > 0 && !isClosed) await readOnce();
    } catch (error) {
      // The topics stay due, and the next poll tries again.
      options.onTrouble('events could not be read', error);
    }
    reading = null;
  };

  return {
    read(topics: Iterable<Topic>): void {
      for (const topic of topics) due.add(topic);
      if (reading === null && !isClosed && due.size > 0) reading = readAll();
    },
    forget: (topic: Topic): void => void due.delete(topic),
    async close(): Promise<void> {
      isClosed = true;
      await reading;
    },
  };
};

export const createFeed = (options: FeedOptions) => {
  const topics = new Map<string, Topic>();
  const reader = createTopicReader(options);
  const refreshAll = (): void => reader.read(topics.values());
  const poll = setInterval(refreshAll, options.pollEveryMs);
  poll.unref();

  return {
    /** Reads the new events of these marketplaces, if they have an open stream here. */
    refresh: (marketplaceIds: readonly string[]): void =>
      reader.read(marketplaceIds.map((id) => topics.get(id)).filter((topic) => topic !== undefined)),
    refreshAll,

    /** The topic of a marketplace for one more connection; `head` is the position at which a new topic starts. */
    enter(marketplaceId: string, head: number): Topic {
      let topic = topics.get(marketplaceId);
      if (topic === undefined) {
        topic = newTopic(marketplaceId, head);
        topics.set(marketplaceId, topic);
        // Notifications that arrived before the topic existed were ignored.
        reader.read([topic]);
      }
      topic.connections++;
      return topic;
    },
    leave(topic: Topic, left: Reader): void {
      removeReader(topic, left);
      if (topic.connections > 0) return;
      topics.delete(topic.marketplaceId);
      reader.forget(topic);
    },
    get marketplaces(): number {
      return topics.size;
    },
    async close(): Promise<void> {
      clearInterval(poll);
      await reader.close();
    },
  };
};
