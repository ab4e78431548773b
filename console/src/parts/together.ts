// Things that the rows of a list ask for one by one, fetched together: a key has a rate limit, and forty rows must not cost
// forty requests. A few are asked for singly; for more, the newest of them come in one answer, and what is older singly.

import type { Client } from '../api.ts';

type Ways<Thing> = {
  /** One page, as long as it may be. */
  readonly newest: (client: Client) => Promise<{ readonly items: readonly Thing[] }>;
  readonly one: (client: Client, id: string) => Promise<Thing>;
};

type Waiting<Thing> = Map<string, PromiseWithResolvers<Thing>>;

/** The rows of a list are drawn in one go. */
const GATHER_MS = 10;
const FEW = 3;

export const askTogether = <Thing extends { readonly id: string }>({ newest, one }: Ways<Thing>) => {
  const asked = new WeakMap<Client, Waiting<Thing>>();

  const answer = async (client: Client, waiting: Waiting<Thing>): Promise<void> => {
    // Without the list each is asked for alone, and says itself what is wrong.
    const page = waiting.size > FEW ? await newest(client).catch(() => null) : null;
    const found = new Map(page?.items.map((thing) => [thing.id, thing]));
    for (const [id, { resolve, reject }] of waiting) {
      const thing = found.get(id);
      if (thing) resolve(thing);
      else one(client, id).then(resolve, reject);
    }
  };

  const begin = (client: Client): Waiting<Thing> => {
    const waiting: Waiting<Thing> = new Map();
    asked.set(client, waiting);
    setTimeout(() => {
      asked.delete(client);
      void answer(client, waiting);
    }, GATHER_MS);
    return waiting;
  };

  return (client: Client, id: string): Promise<Thing> => {
    const waiting = asked.get(client) ?? begin(client);
    const known = waiting.get(id) ?? Promise.withResolvers<Thing>();
    waiting.set(id, known);
    return known.promise;
  };
};
