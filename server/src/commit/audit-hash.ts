// The audit chain: each entry's hash covers the entry and the hash of the one before, so that none can be changed, taken
// out or put in unseen.

import { hash } from 'node:crypto';

export type HashedEntry = {
  readonly seq: bigint;
  readonly occurredAt: string;
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly userId: string | null;
  readonly payloadBefore: string | null;
  readonly payloadAfter: string | null;
  readonly actorType: string;
  readonly actorId: string;
  readonly result: string;
  readonly correlationId: string;
};

/** Written as JSON, so that no two different entries give the same text. */
export const auditHash = (previous: string, entry: HashedEntry): string =>
  hash(
    'sha256',
    JSON.stringify([
      previous,
      String(entry.seq),
      entry.occurredAt,
      entry.action,
      entry.resourceType,
      entry.resourceId,
      entry.userId,
      entry.payloadBefore,
      entry.payloadAfter,
      entry.actorType,
      entry.actorId,
      entry.result,
      entry.correlationId,
    ]),
    'base64',
  );
