// Routes of the audit trail and of the proof, and their replies.

import * as api from '@holdfast/contract/api/audit.ts';
import type { AuditAction, AuditResource } from '@holdfast/contract/audit.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { formatExact } from '../../books/money.ts';
import type { Proof } from '../../books/proof-checks.ts';
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

const presentCheckpoint = (checkpoint: Proof['checkpoint']) =>
  checkpoint && {
    number: Number(checkpoint.number),
    sequence: Number(checkpoint.auditSeq),
    madeAt: checkpoint.madeAt,
  };

const presentProof = ({ holds, checkedAt, checkpoint, lastFull, currencies, checks }: Proof) => ({
  holds,
  checkedAt,
  checkpoint: presentCheckpoint(checkpoint),
  lastFullProof: lastFull && { ...lastFull },
  currencies: currencies.map((row) => ({
    currency: row.currency,
    claims: formatExact(row.claims),
    holdings: formatExact(row.holdings),
    adjustments: formatExact(row.adjustments),
    difference: formatExact(row.difference),
  })),
  checks: [...checks],
});

type Parts = {
  readonly audit: AuditReads;
  prove(asked: { marketplaceId: string; full: boolean }): Promise<Proof>;
};

export const auditRoutes = ({ audit, prove }: Parts): Route[] => [
  list(api.listAuditEntries, async ({ query, context }) => {
    const page = await audit.list({
      ...query,
      marketplaceId: context.marketplaceId,
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: query.cursor ?? null,
    });
    if (!page) throw badCursor();
    const items = page.rows.map(presentAuditEntry);
    const archives = page.archives.length === 0 ? {} : { archives: page.archives };
    return { items, nextCursor: page.nextCursor, ...archives };
  }),
  read(api.getProof, async ({ query, context: { marketplaceId } }) =>
    presentProof(await prove({ marketplaceId, full: query.full === true })),
  ),
  read(api.verifyAuditChain, async ({ query, context: { marketplaceId } }) => {
    const { holds, entries, lastHash, brokenAt, checkpoint } = query.full
      ? { ...(await audit.verifyChain(marketplaceId)), checkpoint: null }
      : await audit.verifyRecent(marketplaceId);
    return {
      holds,
      entries: Number(entries),
      lastHash,
      brokenAt: brokenAt === null ? null : Number(brokenAt),
      checkpoint: presentCheckpoint(checkpoint),
    };
  }),
];
