// Routes of the audit trail and of the proof.

import * as api from '@holdfast/contract/api/audit.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { Proof } from '../../books/proof.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Route, read } from '../../http/route.ts';
import { presentAuditEntry, presentProof } from './present.ts';
import type { AuditReads } from './queries.ts';

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
