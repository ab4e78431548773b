// Receipts of orders: the figures, the file for people, and the public link.

import type {
  CreateReceiptLinkInput,
  CreateReceiptLinkResult,
  Receipt,
  RevokeReceiptLinkResult,
} from '../printed/receipts.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

/** The formats for people. */
export type DocumentFormat = 'html' | 'pdf';

export const ACCEPTED = { html: 'text/html', pdf: 'application/pdf' } as const;

export const receiptActions = (transport: Transport) => ({
  /** What was paid, what both sides got, the fees and the hashes of the ledger. Fails with RECEIPT_NOT_AVAILABLE. */
  receipt: (id: string, options?: CallOptions): Promise<Receipt> =>
    transport.call({ ...ROUTES.getReceipt, wrapping: 'plain' }, { params: { id }, query: { format: 'json' } }, options),

  /** The receipt as a file for people: its bytes. */
  receiptFile: (id: string, format: DocumentFormat, options?: CallOptions): Promise<Uint8Array> =>
    transport.call(
      ROUTES.getReceipt,
      { params: { id }, query: { format }, accept: ACCEPTED[format], bytes: true },
      options,
    ),

  /** A link at which anyone who has it can read the receipt. It replaces an earlier link, and is shown only here. */
  createReceiptLink: (
    id: string,
    input: CreateReceiptLinkInput = {},
    options?: CallOptions,
  ): Promise<CreateReceiptLinkResult> =>
    transport.call(ROUTES.createReceiptLink, { params: { id }, body: input }, options),

  /** The link answers 404 from now on. Fails with RECEIPT_LINK_NOT_FOUND. */
  revokeReceiptLink: (id: string, options?: CallOptions): Promise<RevokeReceiptLinkResult> =>
    transport.call(ROUTES.revokeReceiptLink, { params: { id } }, options),
});
