// The audit chain: the hash of an entry covers the entry and the hash of the previous entry. So no entry can be changed, removed or
// inserted without breaking the chain.

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

/** The text is JSON, so that two different entries never have the same text. */
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
