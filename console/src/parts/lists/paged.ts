// A paged list for a table. A refetch takes two requests, however long the list is: the first page, where new rows
// appear, and one of the other pages in turn.

import type { List, Page } from '@holdfast/sdk';
import { type InfiniteData, type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { eachOnce, mergePage, stepAt } from './page-merge.ts';

/** The place and the size of a page, as every list route takes them. */
export type PageAsk = { readonly cursor?: string; readonly limit?: number };

export type FetchPage<Row> = (ask: PageAsk) => Promise<Page<Row>>;

export type Paged<Row> = {
  /** Null while the first page is loading. */
  readonly rows: readonly Row[] | null;
  readonly error: unknown;
  /** Absent on the last page. */
  readonly more?: () => void;
  readonly isLoadingMore: boolean;
  again(): void;
  /** Any page of the whole list, for an export. */
  readonly fetchPage: FetchPage<Row>;
};

type Options<Row> = {
  readonly queryKey: QueryKey;
  /** `(page) => client.orders.list({ ...filters, ...page })` */
  readonly list: (page: PageAsk) => List<Row>;
  readonly isEnabled?: boolean;
  /** The poll interval, for data without events. */
  readonly everyMs?: number;
};

type Cursor = string | undefined;

export const usePaged = <Row>({ queryKey, list, isEnabled = true, everyMs }: Options<Row>): Paged<Row> => {
  const turn = useRef(0);
  const query = useInfiniteQuery({
    queryKey,
    enabled: isEnabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    async queryFn({ pageParam, client }): Promise<Page<Row>> {
      const shown = client.getQueryData<InfiniteData<Page<Row>, Cursor>>(queryKey);
      if (pageParam === undefined) turn.current += 1;
      const step = stepAt(shown, { cursor: pageParam, turn: turn.current });
      if (step === 'skip') return { items: [], hasMore: true, nextCursor: pageParam ?? null };
      const before = shown?.pages[shown.pageParams.indexOf(pageParam)];
      if (step === 'keep' && before) return before;
      const fresh = await list(pageParam === undefined ? {} : { cursor: pageParam }).page();
      return shown && shown.pages.length > 1 ? mergePage(before, fresh) : fresh;
    },
    initialPageParam: undefined as Cursor,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  return {
    rows: query.data ? eachOnce(query.data.pages.flatMap((page) => page.items)) : null,
    error: query.error,
    isLoadingMore: query.isFetchingNextPage,
    again: () => void query.refetch(),
    fetchPage: (ask) => list(ask).page(),
    ...(query.hasNextPage ? { more: () => void query.fetchNextPage() } : {}),
  };
};

/** A list in one answer, as a paged list. */
export const wholeList = <Row>(query: {
  data: readonly Row[] | undefined;
  error: unknown;
  refetch(): unknown;
}): Paged<Row> => ({
  rows: query.data ?? null,
  error: query.error,
  isLoadingMore: false,
  again: () => void query.refetch(),
  fetchPage: async () => ({ items: [...(query.data ?? [])], hasMore: false, nextCursor: null }),
});
