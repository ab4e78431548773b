// Routes of the audit trail and of the proof, and their replies.

import * as api from '@holdfast/contract/api/audit.ts';
import type { AuditAction, AuditResource } from '@holdfast/contract/audit.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { formatExact } from '../../books/money.ts';
import type { Proof } from '../../books/proof.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Route, read } from '../../http/route.ts';
import type { AuditRecord } from './audit-record.ts';
import type { AuditReads } from './queries.ts';

const parsed = (payload: string | null) => (payload === null ? null : JSON.parse(payload));

const presentAuditEntry = ({ seq, payloadBefore, payloadAfter, ...entry }: AuditRecord) => ({
  ...entry,
  action: entry.action as AuditAction,
  resourceType: entry.resourceType as AuditResource,
  result: entry.result as 'SUCCESS' | 'FAILURE',
  payloadBefore: parsed(payloadBefore),
  payloadAfter: parsed(payloadAfter),
  sequence: Number(seq),
});

const presentProof = ({ holds, checkedAt, currencies, checks }: Proof) => ({
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

type Parts = { readonly audit: AuditReads; prove(marketplaceId: string): Promise<Proof> };

export const auditRoutes = ({ audit, prove }: Parts): Route[] => [
  list(api.listAuditEntries, async ({ query, context }) => {
    const page = await audit.list({
      ...query,
      marketplaceId: context.marketplaceId,
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: query.cursor ?? null,
    });
    if (!page) throw badCursor();
    return { items: page.rows.map(presentAuditEntry), nextCursor: page.nextCursor };
  }),
  read(api.getProof, async ({ context }) => presentProof(await prove(context.marketplaceId))),
  read(api.verifyAuditChain, async ({ context }) => {
    const report = await audit.verifyChain(context.marketplaceId);
    return {
      ...report,
      entries: Number(report.entries),
      brokenAt: report.brokenAt === null ? null : Number(report.brokenAt),
    };
  }),
];
