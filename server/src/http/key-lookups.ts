// Lookups of credentials that this process does not know. A lookup needs a query or the check of a signature, so callers with invented
// keys must not cause many of them: the address is counted before the lookup, and the count is taken back when the key is valid. The
// counts are those of this process, because they protect its own connections to the database.

import { createGate } from '../base/concurrency.ts';
import { InternalRefusal } from '../base/domain-error.ts';
import { memoryLimiter, type Taken } from './rate-limit.ts';

/** Runs the search for a credential that is not known here, or refuses. Null: there is no such credential. */
export type LookUp = <Found>(search: () => Promise<Found | null>) => Promise<Found | null>;

/** The address has looked up as many unknown credentials as it may. */
export class TooManyLookups extends InternalRefusal {
  readonly taken: Taken;

  constructor(taken: Taken) {
    super('too many unknown credentials from one address');
    this.taken = taken;
  }
}

export type KeyLookups = { for(address: string): LookUp };

type Options = { readonly max: number; readonly windowMs: number; now(): number };

/** Fewer than the connections of the smallest pool in use, so that unknown callers leave some to the others. */
const AT_ONCE = 3;
const WAITING_MAX = 1_000;

export const createKeyLookups = ({ max, windowMs, now }: Options): KeyLookups => {
  const counts = memoryLimiter({ windowMs, now });
  // Only lookups in progress are counted before their result is known. So many valid keys that arrive together refuse none of them.
  const gate = createGate({ atOnce: Math.min(AT_ONCE, max), waitingMax: WAITING_MAX });

  const take = (address: string): void => {
    const taken = counts.take(address, max);
    if (!taken.allowed) throw new TooManyLookups(taken);
  };

  return {
    for: (address) => async (search) => {
      // An address at its limit does not wait in line, and keeps no other address waiting.
      if (counts.countOf(address) >= max) take(address);
      return gate(async () => {
        take(address);
        let isUnknown = false;
        try {
          const found = await search();
          isUnknown = found === null;
          return found;
        } finally {
          // A failed search says nothing about the key.
          if (!isUnknown) counts.giveBack(address);
        }
      });
    },
  };
};
