// The filter of an endpoint as a choice of the catalogue: all events, a prefix such as `order.*`, or single types.

import { EVENT_TYPES } from '@holdfast/sdk';

const ALL = '*';

const prefixOf = (type: string): string => `${type.split('.')[0]}.*`;

const isPrefix = (filter: string): boolean => filter.endsWith('.*');

export type EventGroup = { readonly prefix: string; readonly types: readonly string[] };

export const EVENT_GROUPS: readonly EventGroup[] = [...new Set(EVENT_TYPES.map(prefixOf))].map((prefix) => ({
  prefix,
  types: EVENT_TYPES.filter((type) => prefixOf(type) === prefix),
}));

/** Whether the filters include all of this one. */
export const isChosen = (filters: readonly string[], filter: string): boolean =>
  filters.includes(ALL) || filters.includes(filter) || (!isPrefix(filter) && filters.includes(prefixOf(filter)));

const added = (filters: readonly string[], filter: string): string[] => {
  if (filter === ALL) return [ALL];
  // A prefix includes its types, so it replaces them.
  const others = isPrefix(filter) ? filters.filter((each) => prefixOf(each) !== filter) : filters;
  return [...others, filter];
};

/** The wider filter becomes the narrower ones that it stands for, without the one that is taken out. */
const removed = (filters: readonly string[], filter: string): string[] => {
  if (filter === ALL) return [];
  const prefixes = filters.includes(ALL) ? EVENT_GROUPS.map(({ prefix }) => prefix) : filters;
  if (isPrefix(filter)) return prefixes.filter((each) => each !== filter);
  const types = prefixes.flatMap((each) =>
    each === prefixOf(filter) ? (EVENT_GROUPS.find(({ prefix }) => prefix === each)?.types ?? []) : [each],
  );
  return types.filter((each) => each !== filter);
};

export const toggled = (filters: readonly string[], filter: string): string[] =>
  isChosen(filters, filter) ? removed(filters, filter) : added(filters, filter);
