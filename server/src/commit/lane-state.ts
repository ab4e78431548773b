// What a lane keeps between groups.

import type { Clock } from '../base/instant.ts';
import { countEntries, type RowCaches } from './row-cache.ts';
import type { AnswerRow } from './stored-answers.ts';
import type { TableRegistry } from './tables.ts';

export type LaneState = {
  readonly tables: TableRegistry;
  readonly caches: RowCaches;
  /** Answers of the last groups, so that a quick repeat is recognised without a query. */
  readonly answers: Map<string, AnswerRow>;
  readonly clock: Clock;
};

/** Cached rows and accounts; an entry is about half a kilobyte. */
const ENTRIES_MAX = 50_000;
const ANSWERS_MAX = 5_000;

export const newLaneState = (tables: TableRegistry, clock: Clock): LaneState => ({
  tables,
  caches: new Map(),
  answers: new Map(),
  clock,
});

/** After a failure the cache may hold what was never committed. */
export const clearCaches = ({ caches, answers }: LaneState): void => {
  caches.clear();
  answers.clear();
};

export const limitCaches = ({ caches, answers }: LaneState): void => {
  if (countEntries(caches) > ENTRIES_MAX) caches.clear();
  if (answers.size > ANSWERS_MAX) answers.clear();
};
