// Compares the parts that every transaction has (source, sequence, fee, time, memo) with the expectation. Returns a sentence about the
// first difference, or null.

import type { TransactionFacts } from '../format/read-transaction.ts';
import type { Expectation } from './expectation.ts';

export const checkFrame = (facts: TransactionFacts, expected: Expectation): string | null => {
  const { source, sequence, fee, bounds } = facts;
  if (source !== expected.source) return `its source is ${source}, not ${expected.source}`;
  if (expected.sequence !== undefined && sequence !== expected.sequence) {
    return `its sequence number is ${sequence}, not ${expected.sequence}`;
  }
  if (fee > expected.feeMax) return `its fee may be ${fee}, more than ${expected.feeMax}`;
  if (facts.hasMemo) return 'it has a memo, and none was requested';
  if (facts.hasOtherConditions) return 'it has conditions besides its time bounds';
  if (facts.declaresResources && expected.purpose.kind !== 'escrow') {
    return 'it declares resources of a contract call, and none was requested';
  }
  if (bounds === null || bounds.until === 0n) return 'it has no last moment, so it could be used at any later time';
  const now = BigInt(Math.floor(expected.ledgerTimeMs / 1_000));
  const longest = BigInt(expected.validMaxMs) / 1_000n;
  if (bounds.from > now) return 'it is not valid yet';
  if (bounds.until <= now) return 'its last moment has passed';
  if (bounds.until > now + longest) return `it stays valid for ${bounds.until - now} seconds, more than ${longest}`;
  return null;
};
