// The evidence of disputes: a record for each file, its content, and how much there is. None of them but the counts ever changes.

import type { DisputeParty, EvidenceType } from '@holdfast/contract/states.ts';
import { table } from '../../commit/tables.ts';
import type { Author } from '../notes/note.ts';

export type Evidence = {
  readonly id: string;
  readonly disputeId: string;
  readonly fileName: string;
  readonly contentType: EvidenceType;
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly submittedBy: DisputeParty;
  readonly description: string | null;
  readonly author: Author;
  readonly createdAt: string;
};

type EvidenceContent = {
  /** Of the evidence. */
  readonly id: string;
  /** In the hex form of PostgreSQL. */
  readonly content: string;
};

type EvidenceCount = {
  /** Of the dispute, or MARKETPLACE_COUNT. */
  readonly id: string;
  readonly files: number;
  readonly bytes: bigint;
  readonly updatedAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    evidence: Evidence;
    evidenceContents: EvidenceContent;
    evidenceCounts: EvidenceCount;
  }
  interface Lookups {
    evidence: Record<never, string>;
    evidenceContents: Record<never, string>;
    evidenceCounts: Record<never, string>;
  }
}

export const EVIDENCE = table('evidence', {
  notFound: 'EVIDENCE_NOT_FOUND',
  sql: 'evidence',
  columns: [
    'id',
    'disputeId',
    'fileName',
    'contentType',
    'sizeBytes',
    'sha256',
    'submittedBy',
    'description',
    'author',
    'createdAt',
  ],
  lookups: {},
});

export const EVIDENCE_CONTENTS = table('evidenceContents', {
  notFound: 'EVIDENCE_NOT_FOUND',
  sql: 'evidence_contents',
  columns: ['id', 'content'],
  lookups: {},
  isOnlyWritten: true,
});

export const EVIDENCE_COUNTS = table('evidenceCounts', {
  notFound: 'INTERNAL_ERROR',
  sql: 'evidence_counts',
  columns: ['id', 'files', 'bytes', 'updatedAt'],
  lookups: {},
});

/** The id of the count of all evidence of a marketplace. No dispute has it. */
export const MARKETPLACE_COUNT = 'marketplace';
