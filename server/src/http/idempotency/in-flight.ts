// The Idempotency-Keys of requests that this process is processing. A second request with the same key is refused at once. Between
// processes the stored row of the committer has the same effect.

import { DomainError } from '../../base/domain-error.ts';

export type InFlight = {
  /** Refuses when the key is in use. Returns the function to call when the request has ended. */
  enter(keyHash: Buffer): () => void;
  readonly size: number;
};

export const createInFlight = (): InFlight => {
  const keys = new Set<string>();
  return {
    get size() {
      return keys.size;
    },
    enter(keyHash) {
      const name = keyHash.toString('base64');
      if (keys.has(name)) throw new DomainError('IDEMPOTENCY_KEY_IN_PROGRESS');
      keys.add(name);
      return () => keys.delete(name);
    },
  };
};
