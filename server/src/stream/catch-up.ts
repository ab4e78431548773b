// Brings a new reader up to date from the event table, page by page at the reader's own pace, until it has reached the position of
// the feed. The reader becomes live in the same turn of the event loop. So no event is missed or repeated, and none is buffered.

import type { Gate } from '../base/gate.ts';
import { frameOf, packetOf, type StreamEvent } from './packet.ts';
import { type Reader, sendAndWait } from './reader.ts';
import { addLiveReader, type Topic } from './topic.ts';

export type EventPageRequest = {
  readonly marketplaceId: string;
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly limit: number;
};

export type CatchUp = {
  listEvents(request: EventPageRequest): Promise<StreamEvent[]>;
  gate: Gate;
  sent(count: number): void;
};

const PAGE = 100;
/** Positions that one statement searches: a filter with few matches must not scan the whole history at once. */
const WINDOW = 20_000;

export const catchUp = async (parts: CatchUp, { topic, reader }: { topic: Topic; reader: Reader }): Promise<void> => {
  const { types, resources } = reader.filter;
  while (reader.open && reader.position < topic.position) {
    const after = reader.position;
    const upTo = Math.min(topic.position, after + WINDOW);
    const request = { marketplaceId: topic.marketplaceId, after, upTo, types, resources, limit: PAGE };
    const events = await parts.gate(() => parts.listEvents(request));
    if (events.length > 0 && reader.open) {
      await sendAndWait(reader, packetOf(events.map(frameOf)));
      parts.sent(events.length);
    }
    reader.position = events.length === PAGE ? events.at(-1)!.position : upTo;
  }
  // Nothing is awaited between the last check of the topic's position and this line.
  if (reader.open) addLiveReader(topic, reader);
};
