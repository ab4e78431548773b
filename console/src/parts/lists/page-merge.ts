// Merges a refetched page into the shown pages. Rows that new rows have pushed off the page stay, so that no row is
// missing before the next page, which is unchanged.

import type { Page } from '@holdfast/sdk';

type Pages<Row> = { readonly pages: readonly Page<Row>[]; readonly pageParams: readonly unknown[] };

export type Step = 'fetch' | 'keep' | 'skip';

type Place = { readonly cursor: string | undefined; readonly turn: number };

/** Whether a page is fetched, kept, or skipped for now because the list has restarted before it. */
export const stepAt = <Row>(shown: Pages<Row> | undefined, { cursor, turn }: Place): Step => {
  if (!shown || cursor === undefined || cursor === shown.pages.at(-1)?.nextCursor) return 'fetch';
  const at = shown.pageParams.indexOf(cursor);
  if (at < 0) return 'skip';
  return at === 1 + (turn % (shown.pages.length - 1)) ? 'fetch' : 'keep';
};

/** The refetched page, up to the start of the next shown page. */
export const mergePage = <Row>(before: Page<Row> | undefined, fresh: Page<Row>): Page<Row> => {
  if (!before || fresh.nextCursor === null || before.nextCursor === null) return fresh;
  const ids = new Set(fresh.items.map(idOf));
  const last = before.items.findLastIndex((row) => ids.has(idOf(row)));
  // No row is left, so the next page would not connect.
  if (last < 0) return fresh;
  return { ...fresh, items: [...fresh.items, ...before.items.slice(last + 1)], nextCursor: before.nextCursor };
};

/** Each row once, at its first place, which is the most recent. */
export const eachOnce = <Row>(rows: readonly Row[]): readonly Row[] => {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const id = idOf(row);
    return !seen.has(id) && seen.add(id);
  });
};

const idOf = (row: unknown): string => {
  const { id, eventId } = row as { id?: string; eventId?: string };
  return id ?? eventId ?? JSON.stringify(row);
};
