// What these routes take and give.
// Printed from contract/src/api/evidence.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Author } from './notes.ts';

export type Evidence = {
  /** Evidence id. */
  id: string;
  /** The dispute. */
  disputeId: string;
  /** As it was submitted. */
  fileName: string;
  /** As it was submitted, if it is one of these; otherwise `application/octet-stream`. */
  contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp' | 'image/heic' | 'application/pdf' | 'text/plain' | 'text/csv' | 'video/mp4' | 'audio/mpeg' | 'application/octet-stream';
  /** Size of the content. */
  sizeBytes: number;
  /** SHA-256 hash of the content, in hex. */
  sha256: string;
  /** Whose file it is. The author is the caller, who submits it in their name. */
  submittedBy: 'BUYER' | 'SELLER' | 'OPERATOR';
  /** What it shows. */
  description: string | null;
  author: Author;
  /** When it was submitted. */
  createdAt: string;
};

export type ListEvidenceQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
};

export type SubmitEvidenceInput = {
  /** Name of the file, without a folder, and without characters that control or change the direction of text. */
  fileName: string;
  /** Media type of the content. */
  contentType: string;
  /** The content in base64. */
  content: string;
  /** Whose file it is. The author is the caller, who submits it in their name. */
  submittedBy: 'BUYER' | 'SELLER' | 'OPERATOR';
  /** What it shows. */
  description?: string;
};
