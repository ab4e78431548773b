// The public link of an order's receipt: a random secret, of which only the hash is stored. The text of the link names the marketplace and
// the order, so that one row is read.

import { hash, randomBytes } from 'node:crypto';
import { ID_PREFIXES } from '@holdfast/contract/ids.ts';
import { table } from '../../commit/tables.ts';

export type ReceiptLink = {
  /** The id of the order: an order has at most one link. */
  readonly id: string;
  readonly tokenHash: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const isActive = ({ revokedAt, expiresAt }: ReceiptLink, now: string): boolean =>
  revokedAt === null && expiresAt > now;

type Place = { readonly marketplaceId: string; readonly orderId: string };

/** A new link. A function returns the text, so that printing the object cannot leak it. */
export type FreshLink = { readonly tokenHash: string; reveal(): string };

const LINK = /^hfr_([A-Za-z0-9-]{1,40})_([0-9A-HJKMNP-TV-Z]{26})_([A-Za-z0-9_-]{43})$/;
const SECRET_BYTES = 32;

const digest = (secret: string): string => hash('sha256', `receipt:${secret}`, 'base64url');

export const freshLink = ({ marketplaceId, orderId }: Place): FreshLink => {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  const marketplace = marketplaceId.slice(ID_PREFIXES.marketplace.length + 1);
  const text = `hfr_${marketplace}_${orderId.slice(ID_PREFIXES.order.length + 1)}_${secret}`;
  return { tokenHash: digest(secret), reveal: () => text };
};

/** Null when the text is no link. */
export const parseLink = (text: string): (Place & { readonly tokenHash: string }) | null => {
  const [, marketplace, order, secret] = LINK.exec(text) ?? [];
  if (secret === undefined) return null;
  return {
    marketplaceId: `${ID_PREFIXES.marketplace}_${marketplace}`,
    orderId: `${ID_PREFIXES.order}_${order}`,
    tokenHash: digest(secret),
  };
};

declare module '../../commit/tables.ts' {
  interface Tables {
    receiptLinks: ReceiptLink;
  }
  interface Lookups {
    receiptLinks: Record<never, string>;
  }
}

export const RECEIPT_LINKS = table('receiptLinks', {
  notFound: 'RECEIPT_LINK_NOT_FOUND',
  sql: 'receipt_links',
  columns: ['id', 'tokenHash', 'expiresAt', 'revokedAt', 'createdAt', 'updatedAt'],
  lookups: {},
});
