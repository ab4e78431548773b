// Two readers of each marketplace's stream, from its first event on: one that stays, and one that leaves after some events
// and comes back with its cursor, as a program that is restarted does. Servers die under both.

import type { Holdfast, HoldfastEvent } from '@holdfast/sdk';
import type { Random } from './random.ts';
import { retryUntil } from './retry.ts';

export type Heard = {
  readonly name: string;
  readonly marketplaceId: string;
  readonly events: readonly HoldfastEvent[];
};

export type Listeners = ReturnType<typeof openListeners>;

const BEGINNING = '2000-01-01T00:00:00Z';

type Place = { readonly marketplaceId: string; readonly client: Holdfast };

const stay = async ({ client }: Place, of: { events: HoldfastEvent[]; signal: AbortSignal }): Promise<void> => {
  for await (const event of client.events({ since: BEGINNING, signal: of.signal })) of.events.push(event);
};

const comeAndGo = async (
  { client }: Place,
  { events, signal, random }: { events: HoldfastEvent[]; signal: AbortSignal; random: Random },
): Promise<void> => {
  let cursor: string | null = null;
  const checkpoint = {
    load: () => cursor,
    save(next: string): void {
      cursor = next;
    },
  };
  while (!signal.aborted) {
    let left = random.int(5, 200);
    for await (const event of client.events({ since: BEGINNING, checkpoint, signal })) {
      events.push(event);
      // What it leaves at is not handled yet, and comes again.
      if (--left === 0) break;
    }
    if (left === 0) events.pop();
  }
};

export const openListeners = (places: readonly Place[], random: Random) => {
  const stop = new AbortController();
  const { signal } = stop;
  const heard: (Heard & { events: HoldfastEvent[] })[] = [];
  const troubles: unknown[] = [];
  const reading = places.flatMap((place) => {
    const { marketplaceId } = place;
    const staying: HoldfastEvent[] = [];
    const leaving: HoldfastEvent[] = [];
    heard.push({ name: 'one that stays', marketplaceId, events: staying });
    heard.push({ name: 'one that comes and goes', marketplaceId, events: leaving });
    const own = random.fork(marketplaceId);
    return [stay(place, { events: staying, signal }), comeAndGo(place, { events: leaving, signal, random: own })];
  });
  const ended = Promise.all(reading.map((each) => each.catch((error: unknown) => void troubles.push(error))));

  return {
    heard: heard as readonly Heard[],
    troubles,
    /** Resolves when every reader has come to this position, or says that one has not. */
    async caughtUp(last: ReadonlyMap<string, number>): Promise<void> {
      const isThere = ({ marketplaceId, events }: Heard): boolean =>
        (events.at(-1)?.metadata.position ?? 0) >= (last.get(marketplaceId) ?? 0);
      await retryUntil(() => troubles.length > 0 || heard.every(isThere), 'the readers have heard everything');
    },
    async close(): Promise<void> {
      stop.abort();
      await ended;
    },
  };
};
