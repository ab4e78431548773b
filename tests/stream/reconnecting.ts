// Clients that connect again at random moments while two servers write: each has to see every event once and in order.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Listener, listen, type Message, positionsOf, range } from './listener.ts';
import { newDatabase, openSite, openWriter, type Writer } from './stream-fixture.ts';

export type Size = {
  readonly clients: number;
  /** Events of each of the two writers. */
  readonly events: number;
  /** The most messages that a client reads before it connects again, while more messages follow. */
  readonly stayMax: number;
};

/** Writes the events in bursts of a random size. */
const write = async (writer: Writer, { userId, events }: { userId: string; events: number }): Promise<void> => {
  for (let written = 0; written < events; ) {
    const burst = Math.min(1 + Math.floor(Math.random() * 20), events - written);
    await Promise.all(range(1, burst).map(() => writer.credit('mkt_shop', userId)));
    written += burst;
  }
};

type Following = { readonly total: number; readonly stayMax: number; isWriting(): boolean };

const follow = async (sites: readonly { url: string }[], { total, stayMax, isWriting }: Following) => {
  const messages: Message[] = [];
  let connections = 0;
  while (messages.length < total) {
    const lastEventId = messages.at(-1)?.id ?? '2000-01-01T00:00:00Z';
    const listener: Listener = await listen(sites[connections++ % 2]!, { lastEventId });
    const stay = isWriting() ? 1 + Math.floor(Math.random() * stayMax) : Number.POSITIVE_INFINITY;
    const enough = () => listener.messages.length >= Math.min(stay, total - messages.length);
    await listener.until(() => enough() || (!isWriting() && listener.messages.length > 0 && stay <= stayMax));
    listener.hangUp();
    messages.push(...listener.messages);
  }
  return { messages, connections };
};

export const assertNothingLost = async (t: TestContext, { clients, events, stayMax }: Size): Promise<void> => {
  const database = await newDatabase(t);
  const sites = [await openSite(t, database), await openSite(t, database)];
  const writers = sites.map((site) => openWriter(t, database, { notifier: site.notifier }));
  const userId = await writers[0]!.addUser('mkt_shop');
  const total = 1 + 2 * events;
  let writing = true;
  const following = { total, stayMax, isWriting: () => writing };
  const followers = range(1, clients).map(() => follow(sites, following));
  await Promise.all(writers.map((writer) => write(writer, { userId, events })));
  writing = false;
  const seen = await Promise.all(followers);
  for (const { messages } of seen) {
    assert.deepEqual(positionsOf(messages), range(1, total));
    assert.equal(new Set(messages.map((message) => message.data.eventId)).size, total);
  }
  const connections = seen.map((each) => each.connections);
  assert.ok(Math.max(...connections) > 5, `only ${connections} connections`);
};
