// An audit entry as it is read from the database, with its id.

import { parseInstant } from '../../base/instant.ts';
import { numberedId } from '../../base/ulid.ts';
import type { HashedEntry } from '../../commit/audit-hash.ts';

export type AuditRecord = HashedEntry & { readonly id: string; readonly hash: string };

export const AUDIT_COLUMNS = `t.seq, t.occurred_at as "occurredAt", t.action, t.resource_type as "resourceType",
  t.resource_id as "resourceId", t.user_id as "userId", t.payload_before as "payloadBefore",
  t.payload_after as "payloadAfter", t.actor_type as "actorType", t.actor_id as "actorId", t.result,
  t.correlation_id as "correlationId", t.hash`;

export const auditRecordOf = (row: Omit<AuditRecord, 'id'>): AuditRecord => ({
  ...row,
  id: numberedId('auditEntry', { ms: Math.floor((parseInstant(row.occurredAt) ?? 0) / 1_000), number: row.seq }),
});
