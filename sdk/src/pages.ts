// Lists, page by page or item by item. No request is sent before the list is read.

import type { Ask, CallOptions, Route, Transport } from './transport.ts';

export type Page<Item> = {
  readonly items: Item[];
  readonly hasMore: boolean;
  /** Send this value as `cursor` to get the next page. */
  readonly nextCursor: string | null;
  /** Of the last page of the audit trail: archived months in which the list continues. `holdfast archive show` prints their rows. */
  readonly archives?: string[];
};

/** Read the list with `for await`: the next page is requested when the current one has been read. */
export type List<Item> = AsyncIterable<Item> & {
  /** The first page, or the page of the query's `cursor`. */
  page(): Promise<Page<Item>>;
  /** Page by page, for programs that show or store pages. */
  pages(): AsyncIterable<Page<Item>>;
  /** All items, at most `max`; throws when there are more. */
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

/** A list route as a list; a cursor in the query selects the first page. */
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
