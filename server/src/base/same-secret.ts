// Compares two secrets, or their hashes, in a time that does not depend on where they differ.

import { timingSafeEqual } from 'node:crypto';

export const isSameSecret = (given: string, wanted: string): boolean =>
  given.length === wanted.length && timingSafeEqual(Buffer.from(given), Buffer.from(wanted));
