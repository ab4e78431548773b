// Batches the requests of the rows of a list: a key has a rate limit, and forty rows must not cost forty requests. Up
// to three records are requested one by one. For more, one request gets the newest records, and older ones are
// requested one by one.

import type { Client } from '../../api.ts';

type Ways<Thing> = {
  /** One page of the largest size. */
  readonly newest: (client: Client) => Promise<{ readonly items: readonly Thing[] }>;
  readonly one: (client: Client, id: string) => Promise<Thing>;
};

type Waiting<Thing> = Map<string, PromiseWithResolvers<Thing>>;

/** The rows of a list are rendered together. */
const GATHER_MS = 10;
const FEW = 3;

export const batchRequests = <Thing extends { readonly id: string }>({ newest, one }: Ways<Thing>) => {
  const asked = new WeakMap<Client, Waiting<Thing>>();

  const answer = async (client: Client, waiting: Waiting<Thing>): Promise<void> => {
    // If the list fails, each record is requested on its own and reports its own error.
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
