// Routes of the audit trail and of the proof, and their replies.

import * as api from '@holdfast/contract/api/audit.ts';
import type { AuditAction, AuditResource } from '@holdfast/contract/audit.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type pg from 'pg';
import { formatExact } from '../../books/money.ts';
import type { Proof } from '../../books/proof-checks.ts';
import { badCursor } from '../../http/checked-values.ts';
import { list, type Route, read } from '../../http/route.ts';
import type { LastCheck } from '../archives/last-check.ts';
import type { ArchiveVerifier, CheckedArchive } from '../archives/verifier.ts';
import { archivesCheck } from '../archives/verify-archives.ts';
import type { ActorNames, Names } from './actor-names.ts';
import type { AuditRecord } from './audit-record.ts';
import type { AuditReads } from './queries.ts';

const parsed = (payload: string | null) => (payload === null ? null : JSON.parse(payload));

const presentAuditEntry = ({ seq, payloadBefore, payloadAfter, ...entry }: AuditRecord, names: Names) => ({
  ...entry,
  ...(names.has(entry.actorId) ? { actorName: names.get(entry.actorId) } : {}),
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
    openingBalances: formatExact(row.openingBalances),
    difference: formatExact(row.difference),
  })),
  checks: [...checks],
});

const NOT_CHECKED = { checkedAt: null, holds: null, file: null, problem: null };

const presentCheck = ({ manifestHash: _, ...check }: LastCheck) => check;

const presentArchive = (archive: CheckedArchive) => ({
  period: archive.id,
  state: archive.state as Exclude<CheckedArchive['state'], 'RESTORED'>,
  folder: archive.folder,
  firstSequence: Number(archive.firstSeq),
  lastSequence: Number(archive.lastSeq),
  manifestHash: archive.manifestHash,
  ...(archive.lastCheck === null ? NOT_CHECKED : presentCheck(archive.lastCheck)),
});

type Parts = {
  readonly audit: AuditReads;
  readonly archives: ArchiveVerifier;
  /** Of the heavy reads. */
  readonly pool: pg.Pool;
  prove(asked: { marketplaceId: string; full: boolean }): Promise<Proof>;
  /** Left out by tests without operators and keys. */
  readonly actorNames?: ActorNames;
};

const NO_NAMES: Names = new Map();

/** Reads the files for a full proof. Otherwise the archives are those of the last verification, and nothing is checked. */
const readArchives = async (
  { archives, pool }: Parts,
  { full, ...asked }: { full: boolean; marketplaceId: string; left: AbortSignal | undefined },
) => {
  const report = full ? await archives.verify({ ...asked, pool }) : null;
  return { check: report && archivesCheck(report), archives: await archives.list({ ...asked, pool }) };
};

/** Without archives there is nothing to check. */
const withArchives = (proof: Proof, { check, archives }: Awaited<ReturnType<typeof readArchives>>) => ({
  ...presentProof(
    check === null || archives.length === 0
      ? proof
      : { ...proof, holds: proof.holds && check.holds, checks: [...proof.checks, check] },
  ),
  archives: archives.map(presentArchive),
});

export const auditRoutes = (parts: Parts): Route[] => [
  list(api.listAuditEntries, async ({ query, context }) => {
    const page = await parts.audit.list({
      ...query,
      marketplaceId: context.marketplaceId,
      limit: query.limit ?? LIMITS.pageSizeDefault,
      cursor: query.cursor ?? null,
    });
    if (!page) throw badCursor();
    const names = (await parts.actorNames?.(context.marketplaceId, page.rows)) ?? NO_NAMES;
    const items = page.rows.map((row) => presentAuditEntry(row, names));
    const archives = page.archives.length === 0 ? {} : { archives: page.archives };
    return { items, nextCursor: page.nextCursor, ...archives };
  }),
  read(api.getProof, async ({ query, context: { marketplaceId }, left }) => {
    const full = query.full === true;
    const proof = await parts.prove({ marketplaceId, full });
    return withArchives(proof, await readArchives(parts, { full, marketplaceId, left }));
  }),
  read(api.verifyAuditChain, async ({ query, context: { marketplaceId }, left }) => {
    const { holds, entries, lastHash, brokenAt, checkpoint } = query.full
      ? { ...(await parts.audit.verifyChain(marketplaceId)), checkpoint: null }
      : await parts.audit.verifyRecent(marketplaceId);
    const { check, archives } = await readArchives(parts, { full: query.full === true, marketplaceId, left });
    return {
      holds: holds && check?.holds !== false,
      entries: Number(entries),
      lastHash,
      brokenAt: brokenAt === null ? null : Number(brokenAt),
      checkpoint: presentCheckpoint(checkpoint),
      archives: archives.map(presentArchive),
    };
  }),
];
