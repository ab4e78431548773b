// Batches the requests of the rows of a list: a key has a rate limit, and forty rows must not cost forty requests. Up
// to three records are requested one by one. For more, one request gets the newest records, and older ones are
// requested one by one.

import type { Client } from '../../api.ts';

type Requests<Item> = {
  /** One page of the largest size. */
  readonly newest: (client: Client) => Promise<{ readonly items: readonly Item[] }>;
  readonly one: (client: Client, id: string) => Promise<Item>;
};

type Waiting<Item> = Map<string, PromiseWithResolvers<Item>>;

/** The rows of a list are rendered together. */
const GATHER_MS = 10;
const FEW = 3;

export const batchRequests = <Item extends { readonly id: string }>({ newest, one }: Requests<Item>) => {
  const batches = new WeakMap<Client, Waiting<Item>>();

  const answer = async (client: Client, waiting: Waiting<Item>): Promise<void> => {
    // If the list fails, each record is requested on its own and reports its own error.
    const page = waiting.size > FEW ? await newest(client).catch(() => null) : null;
    const found = new Map(page?.items.map((item) => [item.id, item]));
    for (const [id, { resolve, reject }] of waiting) {
      const item = found.get(id);
      if (item) resolve(item);
      else one(client, id).then(resolve, reject);
    }
  };

  const begin = (client: Client): Waiting<Item> => {
    const waiting: Waiting<Item> = new Map();
    batches.set(client, waiting);
    setTimeout(() => {
      batches.delete(client);
      void answer(client, waiting);
    }, GATHER_MS);
    return waiting;
  };

  return (client: Client, id: string): Promise<Item> => {
    const waiting = batches.get(client) ?? begin(client);
    const known = waiting.get(id) ?? Promise.withResolvers<Item>();
    waiting.set(id, known);
    return known.promise;
  };
};
