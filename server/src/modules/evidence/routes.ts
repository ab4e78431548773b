// Routes of evidence. The body of a submission may be larger than other bodies.

import { hash } from 'node:crypto';
import * as api from '@holdfast/contract/api/evidence.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Config } from '../../config/config.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, raw, read, write } from '../../http/route.ts';
import { authorOf } from '../notes/routes.ts';
import type { Evidence } from './evidence.ts';
import { attachmentOf, checkFileName, keptType, readContent } from './file-rules.ts';
import type { EvidenceReads } from './queries.ts';
import { submitEvidence } from './submit-evidence.ts';

type Parts = { readonly evidence: EvidenceReads; readonly config: Pick<Config, 'evidence'> };

export const presentEvidence = (evidence: Evidence) => ({
  id: evidence.id,
  disputeId: evidence.disputeId,
  fileName: evidence.fileName,
  contentType: evidence.contentType,
  sizeBytes: evidence.sizeBytes,
  sha256: evidence.sha256,
  submittedBy: evidence.submittedBy,
  description: evidence.description,
  author: evidence.author,
  createdAt: evidence.createdAt,
});

/** The content in base64, and the other fields. */
const bodyLimitOf = (maxBytes: number): number => Math.ceil(maxBytes / 3) * 4 + LIMITS.bodyBytes;

// A file that anyone may have made is never shown as a page, runs nothing, and loads nothing.
const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
};

const fileHeaders = ({ contentType, fileName, sha256 }: Evidence) => ({
  ...SAFE_HEADERS,
  'content-type': contentType,
  'content-disposition': attachmentOf(fileName),
  'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
});

const submission = ({ maxBytes, marketplaceMaxBytes }: Config['evidence']): Route => ({
  ...write(api.submitEvidence, {
    command: submitEvidence,
    input({ params: { id: disputeId }, body, caller, context }) {
      const { fileName, submittedBy, description = null } = body;
      checkFileName(fileName);
      const bytes = readContent(body.content, maxBytes);
      return {
        disputeId,
        fileName,
        contentType: keptType(body.contentType),
        sizeBytes: bytes.length,
        sha256: hash('sha256', bytes, 'hex'),
        submittedBy,
        description,
        author: authorOf(caller, context),
        content: `\\x${bytes.toString('hex')}`,
        marketplaceBytes: marketplaceMaxBytes,
      };
    },
    present: presentEvidence,
  }),
  bodyLimitBytes: bodyLimitOf(maxBytes),
});

export const evidenceRoutes = ({ evidence, config }: Parts): Route[] => [
  submission(config.evidence),
  list(api.listEvidence, async ({ params: { id: disputeId }, query, context }) => {
    const request = pageRequest('evidence', { query, context });
    if (!(await evidence.hasDispute(context.marketplaceId, disputeId))) throw new DomainError('DISPUTE_NOT_FOUND');
    const page = await evidence.list({ ...request, disputeId });
    return { items: page.rows.map(presentEvidence), nextCursor: page.nextCursor };
  }),
  read(api.getEvidence, async ({ params, context: { marketplaceId } }) => {
    const found = await evidence.find({ marketplaceId, disputeId: params.id, id: params.evidenceId });
    if (!found) throw new DomainError('EVIDENCE_NOT_FOUND');
    return presentEvidence(found);
  }),
  raw(api.getEvidenceContent, async ({ params, context: { marketplaceId } }, { open }) => {
    const found = await evidence.find({ marketplaceId, disputeId: params.id, id: params.evidenceId });
    const content = found && (await evidence.content(marketplaceId, found.id));
    if (!found || !content) throw new DomainError('EVIDENCE_NOT_FOUND');
    open(200, { ...fileHeaders(found), 'content-length': String(content.length) }).end(content);
  }),
];
