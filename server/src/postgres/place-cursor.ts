// Cursors of lists that are not sorted by an id: a time and a name, as one text that callers only hand back.

import { parseInstant } from '../base/instant.ts';

export type PlaceInTime = readonly [at: string, name: string];

export const formatPlace = (place: PlaceInTime): string => Buffer.from(JSON.stringify(place)).toString('base64url');

/** Null when it is not one. */
export const parsePlace = (cursor: string): PlaceInTime | null => {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (!Array.isArray(place) || place.length !== 2 || place.some((part) => typeof part !== 'string')) return null;
    return parseInstant(place[0]) === null ? null : (place as unknown as PlaceInTime);
  } catch {
    return null;
  }
};
