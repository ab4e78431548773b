// Evidence of disputes: files that a party or an operator submits. The content is stored with the dispute and never changes; events and
// the audit trail contain its hash.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { DISPUTE_PARTIES, EVIDENCE_TYPES } from '../states.ts';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Page, Strict, Text, Timestamp } from './fields.ts';
import { Author } from './notes.ts';

// A malformed id is answered like an unknown id: 404 and not 400.
const disputeId = Type.String({ maxLength: 64, description: 'Dispute id.' });
const evidenceId = Type.String({ maxLength: 64, description: 'Evidence id.' });

const SubmittedBy = Type.Enum(DISPUTE_PARTIES, {
  description: 'Whose file it is. The author is the caller, who submits it in their name.',
  examples: ['BUYER'],
});

export const Evidence = Type.Object({
  id: Id('evidence', 'Evidence id.'),
  disputeId: Id('dispute', 'The dispute.'),
  fileName: Type.String({ description: 'As it was submitted.', examples: ['parcel.jpg'] }),
  contentType: Type.Enum([...EVIDENCE_TYPES, 'application/octet-stream'] as const, {
    description: 'As it was submitted, if it is one of these; otherwise `application/octet-stream`.',
  }),
  sizeBytes: Type.Integer({ description: 'Size of the content.', examples: [48213] }),
  sha256: Type.String({ description: 'SHA-256 hash of the content, in hex.' }),
  submittedBy: SubmittedBy,
  description: Nullable(Type.String({ description: 'What it shows.' })),
  author: Author,
  createdAt: Timestamp('When it was submitted.'),
});

const common = { tag: 'Disputes', wrapping: 'plain', data: Evidence } as const;

export const submitEvidence = endpoint({
  ...common,
  method: 'POST',
  path: '/disputes/:id/evidence',
  access: 'write',
  summary: 'Submit evidence',
  description:
    `Stores a file with the dispute; at most ${LIMITS.evidenceFiles} for each dispute, and at most EVIDENCE_MAX_BYTES each (\`GET /config\` shows ` +
    'it as `limits.evidenceBytes`). The body of this route may be larger than that of others. A file never changes and is never deleted.',
  params: Strict({ id: disputeId }),
  body: Strict({
    fileName: Text(
      LIMITS.fileNameLength,
      'Name of the file, without a folder, and without characters that control or change the direction of text.',
      'parcel.jpg',
    ),
    contentType: Text(LIMITS.contentTypeLength, 'Media type of the content.', 'image/jpeg'),
    content: Type.String({
      minLength: 1,
      maxLength: LIMITS.evidenceContentLength,
      description: 'The content in base64.',
      examples: ['VGhlIHBhcmNlbCB3YXMgb3Blbi4='],
    }),
    submittedBy: SubmittedBy,
    description: Type.Optional(Text(LIMITS.descriptionLength, 'What it shows.', 'The parcel as it arrived.')),
  }),
  status: 201,
  errors: ['DISPUTE_NOT_FOUND', 'EVIDENCE_LIMIT', 'SERVICE_UNAVAILABLE'],
  idempotent: true,
});

export const listEvidence = endpoint({
  ...common,
  method: 'GET',
  path: '/disputes/:id/evidence',
  access: 'read',
  summary: 'List evidence',
  description: 'The files of a dispute without their contents, newest first.',
  params: Strict({ id: disputeId }),
  query: Strict({ ...Page }),
  status: 200,
  wrapping: 'list',
  errors: ['DISPUTE_NOT_FOUND'],
});

export const getEvidence = endpoint({
  ...common,
  method: 'GET',
  path: '/disputes/:id/evidence/:evidenceId',
  access: 'read',
  summary: 'Get evidence',
  description: 'One file of a dispute without its content.',
  params: Strict({ id: disputeId, evidenceId }),
  status: 200,
  errors: ['EVIDENCE_NOT_FOUND'],
});

export const getEvidenceContent = endpoint({
  ...common,
  method: 'GET',
  path: '/disputes/:id/evidence/:evidenceId/content',
  access: 'read',
  summary: 'Download evidence',
  description:
    'The bytes of the file, as an attachment with its content type. `Repr-Digest` carries the SHA-256 hash. Anyone may have made the file: a ' +
    'browser never shows it as a page of this server.',
  params: Strict({ id: disputeId, evidenceId }),
  status: 200,
  wrapping: 'raw',
  data: Type.String({ description: 'The content.' }),
  errors: ['EVIDENCE_NOT_FOUND'],
});
