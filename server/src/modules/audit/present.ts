// Audit entries and proofs in replies.

import type { AuditAction, AuditResource } from '@holdfast/contract/audit.ts';
import { formatExact } from '../../books/money.ts';
import type { Proof } from '../../books/proof.ts';
import type { AuditRecord } from './queries.ts';

const parsed = (payload: string | null) => (payload === null ? null : JSON.parse(payload));

export const presentAuditEntry = ({ seq, payloadBefore, payloadAfter, ...entry }: AuditRecord) => ({
  ...entry,
  action: entry.action as AuditAction,
  resourceType: entry.resourceType as AuditResource,
  result: entry.result as 'SUCCESS' | 'FAILURE',
  payloadBefore: parsed(payloadBefore),
  payloadAfter: parsed(payloadAfter),
  sequence: Number(seq),
});

export const presentProof = ({ holds, checkedAt, currencies, checks }: Proof) => ({
  holds,
  checkedAt,
  currencies: currencies.map((row) => ({
    currency: row.currency,
    claims: formatExact(row.claims),
    holdings: formatExact(row.holdings),
    adjustments: formatExact(row.adjustments),
    difference: formatExact(row.difference),
  })),
  checks: [...checks],
});
