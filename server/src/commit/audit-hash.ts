// The audit chain: the hash of an entry covers the entry and the hash of the previous entry. So no entry can be changed, removed or
// inserted without breaking the chain.

import { hash } from 'node:crypto';
import type { AuditNote, Context } from './command.ts';

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

type Noted = { readonly context: Context; readonly seq: bigint; readonly occurredAt: string };

/** What the entry says about the state afterwards, and who approved the request. */
const afterOf = ({ after }: AuditNote, { approval }: Context): unknown =>
  approval === undefined ? after : { ...(after as object | undefined), approval };

/** The entry of a note that a command left. */
export const entryOf = (note: AuditNote, { context, seq, occurredAt }: Noted) => {
  const after = afterOf(note, context);
  return {
    seq,
    occurredAt,
    action: note.action,
    resourceType: note.resourceType,
    resourceId: note.resourceId,
    userId: note.userId ?? null,
    payloadBefore: note.before === undefined ? null : JSON.stringify(note.before),
    payloadAfter: after === undefined ? null : JSON.stringify(after),
    actorType: context.actor.type,
    actorId: context.actor.id,
    result: note.result ?? 'SUCCESS',
    correlationId: context.requestId,
  };
};
