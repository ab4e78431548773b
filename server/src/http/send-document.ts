// Sends documents for people, as HTML or PDF. A PDF is drawn in another thread. A marketplace may have a few documents in the works at once, so
// that it cannot keep the others waiting. A small document leaves its place before it is sent, so that a slow client keeps none.

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
  /** Anyone who has the link may read it. Such readers never take a place of the marketplace itself. */
  readonly isPublic?: boolean;
  /** Aborted when the client has left. */
  readonly left?: AbortSignal | undefined;
};

type Write = (piece: string | Uint8Array) => Promise<void>;

/** Of one marketplace, in this process; and as many for its public documents. */
const IN_WORK = { atOnce: 2, waitingMax: 8 };
const RETRY_AFTER_S = 5;
/** How long a client may take for a whole document. */
const SENT_WITHIN_MS = 180_000;
/** A document up to this size is complete before its first byte is sent. A PDF frees its thread this way. */
const HELD_BYTES: Readonly<Record<DocumentFormat, number>> = { html: 512 * 1024, pdf: 8 * 1024 * 1024 };
/** A document up to this size leaves its place before it is sent. Each receipt does. */
const SMALL_BYTES = 512 * 1024;

const tooMany = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', {
    message:
      'This marketplace has as many documents in the works as it may have. Send the request again in a few seconds.',
    details: { retryAfter: RETRY_AFTER_S },
  });

/** Holds the first bytes back. Those of a larger document pass as soon as there are too many. */
const createHeld = ({ bytesMax, write }: { readonly bytesMax: number; readonly write: Write }) => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const send = async (): Promise<void> => {
    for (const piece of pieces.splice(0)) await write(piece);
  };
  return {
    async write(piece: string | Uint8Array): Promise<void> {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      pieces.push(bytes);
      size += bytes.length;
      if (size > bytesMax) await send();
    },
    size: (): number => size,
    send,
  };
};

export const createDocuments = (brand: Brand) => {
  const html = createHtml(brand);
  const pdfs = createPdfs(brand);
  const ownGates = createGates({ ...IN_WORK, refusal: tooMany });
  const publicGates = createGates({ ...IN_WORK, refusal: tooMany });

  const headersOf = ({ format, fileName, headers = {} }: Sending): OutgoingHttpHeaders => ({
    'content-type': format === 'html' ? 'text/html; charset=utf-8' : 'application/pdf',
    'content-disposition': `${format === 'html' ? 'inline' : 'attachment'}; filename="${fileName}.${format}"`,
    'content-security-policy': format === 'html' ? html.policy : "default-src 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    ...headers,
  });

  const render = async ({ marketplaceId, document, format, left }: Sending, write: Write): Promise<void> => {
    if (format === 'pdf') {
      await pdfs.draw({ marketplaceId, document, left }, write);
      return;
    }
    const page = html.open(document.head);
    let text = page.begin();
    for await (const part of document.parts) {
      await write(text + page.part(part));
      text = '';
    }
    await write(text + page.end());
  };

  return {
    brand,
    async send(sending: Sending, { request, open }: Pick<Wire, 'request' | 'open'>): Promise<void> {
      const { marketplaceId, format, isPublic = false, left } = sending;
      const hasLeft = (): boolean => request.socket.destroyed;
      // The headers go with the first bytes, so that a document that cannot be read is an error and not a broken file.
      const file = openFile({
        offset: 0,
        hasLeft,
        withinMs: SENT_WITHIN_MS,
        open: () => open(200, headersOf(sending)),
      });
      const held = createHeld({ bytesMax: HELD_BYTES[format], write: file.write });
      const gates = isPublic ? publicGates : ownGates;
      await gates({ key: marketplaceId, left }, async () => {
        await render(sending, async (piece) => {
          if (hasLeft()) throw new Error('the client has left');
          await held.write(piece);
        });
        if (held.size() > SMALL_BYTES) await held.send();
      });
      await held.send();
      await file.end('');
    },
  };
};

export type Documents = ReturnType<typeof createDocuments>;
