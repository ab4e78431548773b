// Which events a reader asked for. Readers who asked for the same share one key, and so one packet.

import type { StreamEvent } from './packet.ts';

export type Filter = {
  readonly key: string;
  /** Null: all. */
  readonly types: readonly string[] | null;
  readonly resources: readonly string[] | null;
};

const EVERYTHING: Filter = { key: '', types: null, resources: null };

const distinct = (names: readonly string[]): string[] | null =>
  names.length === 0 ? null : [...new Set(names)].sort();

export const filterOf = (ask: { types: readonly string[]; resources: readonly string[] }): Filter => {
  const types = distinct(ask.types);
  const resources = distinct(ask.resources);
  if (types === null && resources === null) return EVERYTHING;
  return { key: `${types ?? ''};${resources ?? ''}`, types, resources };
};

export const matches = (filter: Filter, event: StreamEvent): boolean =>
  (filter.types === null || filter.types.includes(event.eventType)) &&
  (filter.resources === null || filter.resources.includes(event.aggregateType));
