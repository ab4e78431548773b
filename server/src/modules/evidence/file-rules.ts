// Rules for files that anyone may have made: their names, their types and their base64. None of them can change a header of a response
// or make a browser show the file as a page.

import { EVIDENCE_TYPES, type EvidenceType } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { validationError } from '../../http/validation/messages.ts';

/** Folders, control characters, line breaks, and characters that change the direction of the text around them. */
const UNSAFE_NAME = /[/\\\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]|^\s*\.{0,2}\s*$/u;

export const checkFileName = (fileName: string): void => {
  if (!UNSAFE_NAME.test(fileName)) return;
  throw validationError([
    'fileName must be a name without a folder, without control characters and without characters that change the direction of text',
  ]);
};

/** Without its parameters. A type that is not on the list is not kept, because a browser could do something with it. */
export const keptType = (contentType: string): EvidenceType => {
  const bare = contentType.split(';')[0]!.trim().toLowerCase();
  return EVIDENCE_TYPES.find((type) => type === bare) ?? 'application/octet-stream';
};

/** Only the one base64 that the bytes have: with its padding, and without line breaks. */
export const readContent = (content: string, maxBytes: number): Buffer => {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.length > maxBytes) {
    throw new DomainError('PAYLOAD_TOO_LARGE', {
      message: `A file of evidence may have at most ${maxBytes} bytes.`,
      details: { limitBytes: maxBytes },
    });
  }
  if (bytes.length === 0 || bytes.toString('base64') !== content) throw validationError(['content must be base64']);
  return bytes;
};

const asciiName = (fileName: string): string => fileName.replace(/[^A-Za-z0-9 ._-]/g, '_');

/** As RFC 6266 says: a plain name for old clients, and the exact one, percent-encoded. */
export const attachmentOf = (fileName: string): string => {
  const encoded = encodeURIComponent(fileName).replace(/['()*!]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${asciiName(fileName)}"; filename*=UTF-8''${encoded}`;
};
