// The keys of requests that this process is working on. A second one with the same key is refused at once instead of
// waiting for the first; across processes the committer's own row does the same.

import { DomainError } from '../../base/domain-error.ts';

export type InFlight = {
  /** Refuses when the key is taken; otherwise gives what must be called when the request is over. */
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
