// Pages of records in the order of their tokens. A cursor is the token after which the page begins, exclusive.

import { badRequest } from './problems.ts';

export type PageQuery = { cursor?: string; order?: string; limit?: string };

export type Page = { cursor: bigint | null; descending: boolean; limit: number };

const LIMIT_MAX = 200;

export function readPage({ cursor, order = 'asc', limit = '10' }: PageQuery, newest: string): Page {
  if (order !== 'asc' && order !== 'desc') throw badRequest('order', 'order is asc or desc');
  const size = Number(limit);
  if (!Number.isInteger(size) || size < 1 || size > LIMIT_MAX) throw badRequest('limit', `limit is 1 to ${LIMIT_MAX}`);
  const from = cursor === 'now' ? newest : (cursor ?? '');
  if (!/^\d*$/.test(from)) throw badRequest('cursor', 'cursor is a paging_token');
  return { cursor: from === '' ? null : BigInt(from), descending: order === 'desc', limit: size };
}

// `items` are in ascending order of their tokens; only the page's own items are visited.
export function pickPage<T>(items: readonly T[], { page, token }: { page: Page; token: (item: T) => string }): T[] {
  const { cursor, descending, limit } = page;
  if (descending) {
    const end = cursor === null ? items.length : countBelow(items, { bound: cursor, token });
    return items.slice(Math.max(end - limit, 0), end).reverse();
  }
  const start = cursor === null ? 0 : countBelow(items, { bound: cursor + 1n, token });
  return items.slice(start, start + limit);
}

function countBelow<T>(items: readonly T[], { bound, token }: { bound: bigint; token: (item: T) => string }): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (BigInt(token(items[middle]!)) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Tokened = { paging_token: string };

export function presentPage<T extends Tokened>(records: T[], { url, page }: { url: string; page: Page }) {
  const order = page.descending ? 'desc' : 'asc';
  const opposite = page.descending ? 'asc' : 'desc';
  const at = String(page.cursor ?? '');
  const link = (cursor: string, way: string) => ({ href: `${url}?cursor=${cursor}&limit=${page.limit}&order=${way}` });
  return {
    _links: {
      self: link(at, order),
      next: link(records.at(-1)?.paging_token ?? at, order),
      prev: link(records[0]?.paging_token ?? at, opposite),
    },
    _embedded: { records },
  };
}
