// Which events a reader requested. Readers with the same filter have the same key and share one packet.

import type { StreamEvent } from './packet.ts';

export type Filter = {
  readonly key: string;
  /** Null: all types. */
  readonly types: readonly string[] | null;
  readonly resources: readonly string[] | null;
};

const EVERYTHING: Filter = { key: '', types: null, resources: null };

const distinct = (names: readonly string[]): string[] | null =>
  names.length === 0 ? null : [...new Set(names)].sort();

export const filterOf = (request: { types: readonly string[]; resources: readonly string[] }): Filter => {
  const types = distinct(request.types);
  const resources = distinct(request.resources);
  if (types === null && resources === null) return EVERYTHING;
  return { key: `${types ?? ''};${resources ?? ''}`, types, resources };
};

export const matches = (filter: Filter, event: StreamEvent): boolean =>
  (filter.types === null || filter.types.includes(event.eventType)) &&
  (filter.resources === null || filter.resources.includes(event.aggregateType));
