// Lookups of credentials that this process does not know. A lookup needs a query or the check of a signature, so callers with invented
// keys must not cause many of them: the address is counted before the lookup, and the count is taken back when the key is valid. The
// counts are those of this process, because they protect its own connections to the database.

import { createGate, createGates } from '../base/concurrency.ts';
import { DomainError, InternalRefusal } from '../base/domain-error.ts';
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

type Options = {
  readonly max: number;
  readonly windowMs: number;
  /** Connections of the pool in which credentials are looked up. */
  readonly poolMax: number;
  now(): number;
};

const AT_ONCE_MAX = 3;
const WAITING_MAX = 1_000;
const WAITING_PER_ADDRESS_MAX = 200;
const RETRY_AFTER_S = 1;

export const createKeyLookups = ({ max, windowMs, poolMax, now }: Options): KeyLookups => {
  const counts = memoryLimiter({ windowMs, now });
  // At least one connection of the pool is always left to callers that are known.
  const atOnce = Math.max(1, Math.min(AT_ONCE_MAX, max, poolMax - 1));
  // Only lookups in progress are counted before their result is known. So many valid keys that arrive together refuse none of them.
  const gate = createGate({ atOnce });
  // An address has fewer places than there are, to wait and to be looked up, and a caller at another address waits for few of its lookups.
  const perAddress = createGates({ atOnce: Math.max(1, atOnce - 1), waitingMax: WAITING_PER_ADDRESS_MAX });
  let inside = 0;

  const take = (address: string): void => {
    const taken = counts.take(address, max);
    if (!taken.allowed) throw new TooManyLookups(taken);
  };

  const count = async <Found>(address: string, search: () => Promise<Found | null>): Promise<Found | null> => {
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
  };

  return {
    for: (address) => async (search) => {
      // An address at its limit does not wait in line, and keeps no other address waiting.
      if (counts.countOf(address) >= max) take(address);
      if (inside >= WAITING_MAX) {
        throw new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: RETRY_AFTER_S } });
      }
      inside++;
      try {
        return await perAddress({ key: address }, () => gate(() => count(address, search)));
      } finally {
        inside--;
      }
    },
  };
};
