// Limits the memory of a lane: when its caches are full, they forget what commands have not used for the longest time. Time is counted in
// generations. A new generation begins whenever an eighth of the allowed entries was added, and each use marks an entry with the current one.

import { type CachedRow, indexRow, type LaneState, lookupKey, lookupsOf, type RowCache } from './row-cache.ts';

/** Cached rows and accounts; an entry is about half a kilobyte. */
const ENTRIES_MAX = 50_000;
const ANSWERS_MAX = 5_000;
const GENERATIONS = 8;

const countEntries = ({ rows, lookups, loadedLookups, accounts, freshIds }: RowCache): number =>
  rows.size + lookups.size + loadedLookups.size + accounts.size + freshIds.size;

const countAll = ({ caches }: LaneState): number => {
  let entries = 0;
  for (const cache of caches.values()) entries += countEntries(cache);
  return entries;
};

/** Adds what a cache holds by its age in generations. What is older than that counts as the last age. */
const addAges = ({ rows, loadedLookups, accounts, freshIds, generation }: RowCache, ages: number[]): void => {
  const add = (usedIn: number): void => {
    ages[Math.min(generation - usedIn, GENERATIONS)]! += 1;
  };
  for (const { usedIn } of rows.values()) add(usedIn);
  for (const { usedIn } of accounts.values()) add(usedIn);
  for (const usedIn of loadedLookups.values()) add(usedIn);
  for (const madeIn of freshIds.values()) add(madeIn);
};

/** The age from which on a quarter of the entries or more is forgotten. Entries of the current generation stay. */
const ageToForget = ({ caches }: LaneState): number => {
  const ages: number[] = new Array(GENERATIONS + 1).fill(0);
  for (const cache of caches.values()) addAges(cache, ages);
  const all = ages.reduce((sum, entries) => sum + entries, 0);
  let left = ages[0]!;
  let age = 1;
  while (age < GENERATIONS && left + ages[age]! <= (all * 3) / 4) left += ages[age++]!;
  return age;
};

/** A lookup that found the row would no longer find all rows. */
const forgetLookups = (cache: RowCache, { table, row }: CachedRow): void => {
  if (!row) return;
  for (const [by, lookup] of lookupsOf(cache, table)) {
    cache.loadedLookups.delete(lookupKey({ table, by, value: lookup.value(row) }));
  }
};

/** A row that contains a fresh id was written after the id was made, so the id never stays longer than the row. */
const forgetOld = (cache: RowCache, age: number): void => {
  const { generation, rows, lookups, loadedLookups, accounts, freshIds } = cache;
  const isOld = (usedIn: number): boolean => generation - usedIn >= age;
  for (const [id, madeIn] of freshIds) if (isOld(madeIn)) freshIds.delete(id);
  for (const [key, usedIn] of loadedLookups) if (isOld(usedIn)) loadedLookups.delete(key);
  for (const [id, { usedIn }] of accounts) if (isOld(usedIn)) accounts.delete(id);
  for (const [key, cached] of rows) {
    if (!isOld(cached.usedIn)) continue;
    rows.delete(key);
    forgetLookups(cache, cached);
  }
  lookups.clear();
  for (const cached of rows.values()) indexRow(cache, cached);
};

/** This may run while groups are in flight: what is forgotten is loaded again only after they have ended. */
export const limitCaches = (state: LaneState, entriesMax = ENTRIES_MAX): void => {
  const { caches, answers } = state;
  if (answers.size > ANSWERS_MAX) answers.clear();
  const entries = countAll(state);
  const step = entriesMax / GENERATIONS;
  if (entries > state.generationEnds) for (const cache of caches.values()) cache.generation += 1;
  // Caches that were cleared have fewer entries than when the generation began.
  if (entries > state.generationEnds || entries + step < state.generationEnds) state.generationEnds = entries + step;
  if (entries <= entriesMax) return;
  const age = ageToForget(state);
  for (const cache of caches.values()) forgetOld(cache, age);
  // Almost all of it is in use: it has to be loaded again, or the next generation would count and forget once more.
  if (countAll(state) > entriesMax - step) caches.clear();
  state.generationEnds = countAll(state) + step;
};
