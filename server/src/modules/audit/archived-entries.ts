// Which archives have the older entries of a list of the audit trail. It only reads.

import type pg from 'pg';
import { DomainError } from '../../base/domain-error.ts';
import { formatInstant, parseInstant } from '../../base/instant.ts';
import { archivesIn, keptArchives } from '../archives/account-postings.ts';
import { createArchiveReads } from '../archives/queries.ts';

type Asked = {
  readonly marketplaceId: string;
  readonly from?: string;
  readonly to?: string;
  /** The number of the entry before which the page begins; null: the newest page. */
  readonly before: bigint | null;
};

const END_OF_TIME = '9999-12-31T23:59:59.999999Z';

const archivedError = (archives: string[]): DomainError =>
  new DomainError('ARCHIVED', {
    message: `These audit entries are in the archive ${archives.join(', ')}. \`holdfast archive show ${archives.at(-1)} --table audit_entries\` prints them, and \`holdfast archive restore\` puts them back.`,
    details: { archives },
  });

/** The archives with entries that were asked for, oldest first. Refuses when no such entry can be in the database. */
export const findArchived = async (client: pg.PoolClient, asked: Asked): Promise<string[]> => {
  const { marketplaceId, before } = asked;
  const reads = createArchiveReads(client);
  // Those that are moved right now have entries on both sides of the border.
  const base = (await reads.chainBase(marketplaceId)).seq;
  const kept = keptArchives(await reads.list(marketplaceId)).filter(({ firstSeq }) => firstSeq <= base);
  const to = asked.to === undefined ? END_OF_TIME : formatInstant(parseInstant(asked.to) ?? 0);
  const from = formatInstant(parseInstant(asked.from ?? '') ?? 0);
  const archives = archivesIn(kept, { from, to })
    .filter(({ firstSeq }) => before === null || firstSeq < before)
    .map(({ id }) => id);
  const removed = kept.findLast(({ lastSeq }) => lastSeq <= base);
  const isBefore = before !== null && before <= base + 1n;
  const isOver = removed !== undefined && (isBefore || to <= removed.endsAt);
  if (isOver && archives.length > 0) throw archivedError(archives);
  return archives;
};
