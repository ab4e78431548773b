// Lists, page by page or item by item. Nothing is asked for before somebody reads.

import type { Ask, CallOptions, Route, Transport } from './transport.ts';

export type Page<Item> = {
  readonly items: Item[];
  readonly hasMore: boolean;
  /** Send it as `cursor` to get the page after this one. */
  readonly nextCursor: string | null;
};

/** Read it with `for await`: the next page is asked for when the one before is read. */
export type List<Item> = AsyncIterable<Item> & {
  /** The first page, or the one that the query's `cursor` names. */
  page(): Promise<Page<Item>>;
  /** Page by page, for whoever shows or stores them so. */
  pages(): AsyncIterable<Page<Item>>;
  /** At most `max` items in memory; says so when there are more. */
  toArray(options: { max: number }): Promise<Item[]>;
};

export const listOf = <Item>(fetchPage: (cursor: string | undefined) => Promise<Page<Item>>): List<Item> => {
  async function* pages(): AsyncGenerator<Page<Item>> {
    let cursor: string | undefined;
    for (;;) {
      const page = await fetchPage(cursor);
      yield page;
      if (!page.hasMore || page.nextCursor === null) return;
      cursor = page.nextCursor;
    }
  }
  async function* items(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* page.items;
  }
  return {
    page: () => fetchPage(undefined),
    pages,
    async toArray({ max }) {
      const found: Item[] = [];
      for await (const item of items()) {
        if (found.length === max) throw new RangeError(`The list has more than ${max} items. Read it item by item.`);
        found.push(item);
      }
      return found;
    },
    [Symbol.asyncIterator]: items,
  };
};

/** A list route as a list; a cursor in the query says where the first page begins. */
export const listing = <Item>(
  transport: Transport,
  route: Route,
  { options, ...ask }: Ask & { options: CallOptions | undefined },
): List<Item> =>
  listOf((cursor) =>
    transport.call<Page<Item>>(
      route,
      { ...ask, query: { ...ask.query, cursor: cursor ?? ask.query?.cursor } },
      options,
    ),
  );
