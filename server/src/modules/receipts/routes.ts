// Routes of receipts, and the public page of a receipt. A link that is unknown, expired or revoked and any link while public receipts are off
// get one and the same answer.

import * as api from '@holdfast/contract/api/receipts.ts';
import { getPublicReceipt } from '@holdfast/contract/public-routes.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Clock, formatInstant } from '../../base/instant.ts';
import { isSameSecret } from '../../base/same-secret.ts';
import type { Context } from '../../commit/command.ts';
import type { Config } from '../../config/config.ts';
import { wrap } from '../../http/envelope.ts';
import { type Route, raw, type Wire, write } from '../../http/route.ts';
import type { Documents } from '../../http/send-document.ts';
import { createReceiptLink, revokeReceiptLink } from './change-link.ts';
import { receiptDocument } from './document.ts';
import { presentReceipt, publicReceipt } from './present.ts';
import type { ReceiptFacts, ReceiptReads } from './queries.ts';
import { freshLink, isActive, parseLink } from './receipt-link.ts';

type Parts = {
  readonly receipts: ReceiptReads;
  readonly documents: Documents;
  readonly config: Pick<Config, 'documents'>;
  /** The address at which people reach the server. */
  origin(): string;
  readonly clock: Clock;
};

const DAY_MS = 86_400_000;
const JSON_TYPE = 'application/json; charset=utf-8';

const MISSING_PAGE =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>No receipt</title>' +
  '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">' +
  '</head><body><main><h1>There is no receipt at this address</h1><p>The link does not exist, has expired or was revoked. ' +
  'Ask the marketplace for a new link.</p></main></body></html>\n';

const sendMissing = ({ open }: Wire): void => {
  open(404, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
  }).end(MISSING_PAGE);
};

export const createReceiptRoutes = ({ receipts, documents, config, origin, clock }: Parts) => {
  const { explorerUrl, publicReceipts } = config.documents;
  const now = (): string => formatInstant(clock());
  const present = (facts: ReceiptFacts) => presentReceipt(facts, { explorerUrl, now: now() });

  const get = async ({ marketplaceId }: Pick<Context, 'marketplaceId'>, orderId: string): Promise<ReceiptFacts> => {
    const facts = await receipts.find(marketplaceId, orderId);
    if (!facts) throw new DomainError('ORDER_NOT_FOUND');
    return facts;
  };

  /** The receipt of an active link, as anyone may see it. */
  const findPublic = async (token: string) => {
    const link = publicReceipts ? parseLink(token) : null;
    const stored = link && (await receipts.findLink(link.marketplaceId, link.orderId));
    if (!stored || !isSameSecret(stored.tokenHash, link.tokenHash) || !isActive(stored, now())) return null;
    const facts = await get(link, link.orderId);
    return { marketplaceId: link.marketplaceId, receipt: publicReceipt(present(facts), facts) };
  };

  const routes: Route[] = [
    raw(api.getReceipt, async ({ params, query: { format = 'json' }, context, requestId, left }, wire) => {
      const { marketplaceId } = context;
      const receipt = present(await get(context, params.id));
      if (format === 'json') {
        const body = JSON.stringify(wrap(receipt, { wrapping: 'plain', requestId }));
        wire.open(200, { 'content-type': JSON_TYPE }).end(body);
        return;
      }
      const fileName = `receipt-${receipt.orderId}`;
      const document = receiptDocument(receipt, { withCosts: true });
      await documents.send({ marketplaceId, document, format, fileName, left }, wire);
    }),
    write(api.createReceiptLink, {
      command: createReceiptLink,
      async input({ params: { id: orderId }, body, context }) {
        const facts = await get(context, orderId);
        if (!publicReceipts) throw new DomainError('PUBLIC_RECEIPTS_OFF');
        present(facts);
        const { expiresInDays = api.RECEIPT_LINK_DAYS.usual } = body;
        const link = freshLink({ marketplaceId: context.marketplaceId, orderId });
        return { orderId, link, validMs: expiresInDays * DAY_MS };
      },
      present: ({ expiresAt }, { input: { link } }) => ({ url: `${origin()}/receipts/${link.reveal()}`, expiresAt }),
    }),
    write(api.revokeReceiptLink, {
      command: revokeReceiptLink,
      input: ({ params: { id: orderId } }) => ({ orderId }),
      present: (revoked) => revoked,
    }),
  ];

  const publicRoutes: Route[] = [
    raw(getPublicReceipt, async ({ params: { token }, left }, wire) => {
      const found = await findPublic(token);
      if (found === null) {
        sendMissing(wire);
        return;
      }
      const { marketplaceId, receipt } = found;
      const sending = {
        marketplaceId,
        document: receiptDocument(receipt, { withCosts: false }),
        format: 'html',
        fileName: 'receipt',
        isPublic: true,
        left,
      } as const;
      await documents.send(sending, wire);
    }),
  ];

  return { routes, publicRoutes };
};
