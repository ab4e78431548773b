// What becomes of the pages that are shown when one of them is asked for again: rows that new ones have pushed out of it
// stay, so that no row is missing between it and the next, which is kept as it was.

import type { Page } from '@holdfast/sdk';

type Pages<Row> = { readonly pages: readonly Page<Row>[]; readonly pageParams: readonly unknown[] };

export type Step = 'ask' | 'keep' | 'skip';

type Place = { readonly cursor: string | undefined; readonly turn: number };

/** Whether a page is asked for, kept, or left to be asked for later because the list has begun anew before it. */
export const stepAt = <Row>(shown: Pages<Row> | undefined, { cursor, turn }: Place): Step => {
  if (!shown || cursor === undefined || cursor === shown.pages.at(-1)?.nextCursor) return 'ask';
  const at = shown.pageParams.indexOf(cursor);
  if (at < 0) return 'skip';
  return at === 1 + (turn % (shown.pages.length - 1)) ? 'ask' : 'keep';
};

/** The page as it is now, up to where the next one that is shown begins. */
export const mergePage = <Row>(before: Page<Row> | undefined, fresh: Page<Row>): Page<Row> => {
  if (!before || fresh.nextCursor === null || before.nextCursor === null) return fresh;
  const ids = new Set(fresh.items.map(idOf));
  const last = before.items.findLastIndex((row) => ids.has(idOf(row)));
  // Nothing of it is left: what follows would not join on.
  if (last < 0) return fresh;
  return { ...fresh, items: [...fresh.items, ...before.items.slice(last + 1)], nextCursor: before.nextCursor };
};

/** Each row once, where it comes first: there it was asked for last. */
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
