// Brings a new reader up to date from the table, page by page at the reader's own pace, until it stands where the feed
// stands; then it joins the feed in the same instant. So there is no gap, no repeat, and no buffer of what comes meanwhile.

import type { Gate } from '../base/gate.ts';
import type { Feed, Room } from './feed.ts';
import { frameOf, packetOf, type StreamEvent } from './packet.ts';
import { type Reader, sendAndWait } from './reader.ts';

export type PageAsk = {
  readonly marketplaceId: string;
  readonly after: number;
  readonly upTo: number;
  readonly types: readonly string[] | null;
  readonly resources: readonly string[] | null;
  readonly limit: number;
};

export type CatchUp = {
  listEvents(ask: PageAsk): Promise<StreamEvent[]>;
  gate: Gate;
  feed: Feed;
  sent(count: number): void;
};

const PAGE = 100;
/** Positions searched by one statement: what keeps a filter with few matches from scanning the whole history at once. */
const WINDOW = 20_000;

export const catchUp = async (parts: CatchUp, { room, reader }: { room: Room; reader: Reader }): Promise<void> => {
  const { types, resources } = reader.filter;
  while (reader.open && reader.position < room.position) {
    const after = reader.position;
    const upTo = Math.min(room.position, after + WINDOW);
    const ask = { marketplaceId: room.marketplaceId, after, upTo, types, resources, limit: PAGE };
    const events = await parts.gate(() => parts.listEvents(ask));
    if (events.length > 0 && reader.open) {
      await sendAndWait(reader, packetOf(events.map(frameOf)));
      parts.sent(events.length);
    }
    reader.position = events.length === PAGE ? events.at(-1)!.position : upTo;
  }
  // Nothing is awaited between the last look at the room's position and this.
  if (reader.open) parts.feed.join(room, reader);
};
