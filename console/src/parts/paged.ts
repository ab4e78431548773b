// A list that comes page by page, as a table wants it.

import type { List } from '@holdfast/sdk';
import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';

export type Paged<Row> = {
  /** Null while the first page is on its way. */
  readonly rows: readonly Row[] | null;
  readonly error: unknown;
  /** Absent when there is no more. */
  readonly more?: () => void;
  readonly isLoadingMore: boolean;
  again(): void;
};

type Options<Row> = {
  readonly queryKey: QueryKey;
  /** `(cursor) => client.orders.list({ ...filters, cursor })` */
  readonly list: (cursor: string | undefined) => List<Row>;
  readonly isEnabled?: boolean;
  /** Asks again after so long, where no event tells of a change. */
  readonly everyMs?: number;
};

export const usePaged = <Row>({ queryKey, list, isEnabled = true, everyMs }: Options<Row>): Paged<Row> => {
  const query = useInfiniteQuery({
    queryKey,
    enabled: isEnabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
    queryFn: ({ pageParam }) => list(pageParam).page(),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  });
  return {
    rows: query.data ? query.data.pages.flatMap((page) => page.items) : null,
    error: query.error,
    isLoadingMore: query.isFetchingNextPage,
    again: () => void query.refetch(),
    ...(query.hasNextPage ? { more: () => void query.fetchNextPage() } : {}),
  };
};

/** A list that came whole. */
export const wholeList = <Row>(query: {
  data: readonly Row[] | undefined;
  error: unknown;
  refetch(): unknown;
}): Paged<Row> => ({
  rows: query.data ?? null,
  error: query.error,
  isLoadingMore: false,
  again: () => void query.refetch(),
});
