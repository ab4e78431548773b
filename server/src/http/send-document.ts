// Sends documents for people, as HTML or PDF, piece by piece. A PDF is drawn in another thread. A marketplace may have a few documents in the
// works at once, so that it cannot keep the others waiting.

import type { OutgoingHttpHeaders } from 'node:http';
import { createGates } from '../base/concurrency.ts';
import { DomainError } from '../base/domain-error.ts';
import type { Brand } from '../documents/brand.ts';
import type { Document } from '../documents/document.ts';
import { createHtml } from '../documents/html.ts';
import { createPdfs } from '../documents/pdf.ts';
import type { Wire } from './route.ts';
import { openFile } from './send-file.ts';

export type DocumentFormat = 'html' | 'pdf';

type Sending = {
  readonly marketplaceId: string;
  readonly document: Document;
  readonly format: DocumentFormat;
  /** Without its ending. */
  readonly fileName: string;
  readonly headers?: OutgoingHttpHeaders;
};

/** Of one marketplace, in this process. */
const IN_WORK = { atOnce: 2, waitingMax: 8 };
const RETRY_AFTER_S = 5;

const tooMany = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', {
    message:
      'This marketplace has as many documents in the works as it may have. Send the request again in a few seconds.',
    details: { retryAfter: RETRY_AFTER_S },
  });

export const createDocuments = (brand: Brand) => {
  const html = createHtml(brand);
  const pdfs = createPdfs(brand);
  const gates = createGates({ ...IN_WORK, refusal: tooMany });

  const headersOf = ({ format, fileName, headers = {} }: Sending): OutgoingHttpHeaders => ({
    'content-type': format === 'html' ? 'text/html; charset=utf-8' : 'application/pdf',
    'content-disposition': `${format === 'html' ? 'inline' : 'attachment'}; filename="${fileName}.${format}"`,
    'content-security-policy': format === 'html' ? html.policy : "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    ...headers,
  });

  const send = async (sending: Sending, { request, open }: Pick<Wire, 'request' | 'open'>): Promise<void> => {
    const { document, format } = sending;
    const hasLeft = (): boolean => request.socket.destroyed;
    // The headers go with the first bytes, so that a document that cannot be read is an error and not a broken file.
    const file = openFile({ offset: 0, hasLeft, open: () => open(200, headersOf(sending)) });
    if (format === 'pdf') {
      await pdfs.draw(document, file.write);
      await file.end('');
      return;
    }
    const page = html.open(document.head);
    let text = page.begin();
    for await (const part of document.parts) {
      await file.write(text + page.part(part));
      text = '';
    }
    await file.end(text + page.end());
  };

  return {
    brand,
    send: (sending: Sending, wire: Pick<Wire, 'request' | 'open'>): Promise<void> =>
      gates({ key: sending.marketplaceId }, () => send(sending, wire)),
  };
};

export type Documents = ReturnType<typeof createDocuments>;
