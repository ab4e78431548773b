// Proofs on request. Each reads every posting, so many askers about one marketplace share one, and only one runs at a time:
// a caller may make itself wait, but never the others.

import type pg from 'pg';
import { type Proof, proveBooks } from './proof.ts';

export const createProver = (pool: pg.Pool) => {
  const waiting = new Map<string, Promise<Proof>>();
  let last: Promise<unknown> = Promise.resolve();

  return (marketplaceId: string): Promise<Proof> => {
    const shared = waiting.get(marketplaceId);
    if (shared) return shared;
    const proof = last.then(() => {
      // Whoever asks from now on wants to see what has happened since.
      waiting.delete(marketplaceId);
      return proveBooks(pool, marketplaceId);
    });
    waiting.set(marketplaceId, proof);
    last = proof.catch(() => {});
    return proof;
  };
};
