// Reads what a receipt needs: the order, its history with the postings, the names of both sides, and the public link.

import type pg from 'pg';
import { selected } from '../../commit/tables.ts';
import type { OrderView } from '../orders/order.ts';
import type { OrderHistory } from '../timelines/queries.ts';
import { displayNameSql } from '../users/user.ts';
import { RECEIPT_LINKS, type ReceiptLink } from './receipt-link.ts';

export type PartyName = {
  readonly id: string;
  readonly externalUserId: string;
  /** Null: the user has none. */
  readonly displayName: string | null;
};

export type ReceiptFacts = {
  readonly marketplaceId: string;
  readonly view: OrderView;
  readonly history: OrderHistory;
  readonly buyer: PartyName;
  readonly seller: PartyName;
  readonly link: ReceiptLink | null;
};

type Parts = {
  readonly pool: pg.Pool;
  findOrder(marketplaceId: string, orderId: string): Promise<OrderView | null>;
  findHistory(marketplaceId: string, orderId: string): Promise<OrderHistory | null>;
};

const NAMES = `select u.id, u.external_user_id as "externalUserId", ${displayNameSql('u')} as "displayName"
  from users u where u.marketplace_id = $1 and u.id = any($2)`;

const LINK = `select ${selected(RECEIPT_LINKS)} from receipt_links t where t.marketplace_id = $1 and t.id = $2`;

/** An order that changes between two reads is read again. */
const ATTEMPTS = 5;

export const createReceiptReads = ({ pool, findOrder, findHistory }: Parts) => {
  const findLink = async (marketplaceId: string, orderId: string): Promise<ReceiptLink | null> =>
    (await pool.query<ReceiptLink>(LINK, [marketplaceId, orderId])).rows[0] ?? null;

  /** The order and its history at the same moment. */
  const readOrder = async (marketplaceId: string, orderId: string) => {
    for (let attempt = 1; ; attempt++) {
      const history = await findHistory(marketplaceId, orderId);
      const view = history && (await findOrder(marketplaceId, orderId));
      if (!history || !view) return null;
      if (history.order.updatedAt === view.order.updatedAt || attempt === ATTEMPTS) return { history, view };
    }
  };

  return {
    findLink,

    /** Null when there is no such order. */
    async find(marketplaceId: string, orderId: string): Promise<ReceiptFacts | null> {
      const read = await readOrder(marketplaceId, orderId);
      if (!read) return null;
      const { buyerId, sellerId } = read.view.order;
      const { rows } = await pool.query<PartyName>(NAMES, [marketplaceId, [buyerId, sellerId]]);
      const nameOf = (id: string): PartyName =>
        rows.find((row) => row.id === id) ?? { id, externalUserId: id, displayName: null };
      const link = await findLink(marketplaceId, orderId);
      return { marketplaceId, ...read, buyer: nameOf(buyerId), seller: nameOf(sellerId), link };
    },
  };
};

export type ReceiptReads = ReturnType<typeof createReceiptReads>;
