// Reads what a receipt needs: the order, its history with the postings, the names of both sides, and the public link.

import type pg from 'pg';
import { DomainError } from '../../base/domain-error.ts';
import { orderEscrow } from '../../books/accounts.ts';
import { fromUnits, sumOf } from '../../books/money.ts';
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

const ESCROW = `select a.balance, a.postings from accounts a where a.marketplace_id = $1 and a.id = $2`;

type EscrowRow = { readonly balance: bigint; readonly postings: bigint };

/** An order that changes between two reads is read again. */
const ATTEMPTS = 5;
const RETRY_AFTER_S = 5;

/** A receipt with a part of the postings would state wrong amounts. */
const incomplete = ({ archives }: OrderHistory): DomainError => {
  const months = archives.join(', ');
  return new DomainError('SERVICE_UNAVAILABLE', {
    message:
      months === ''
        ? 'The order changed while its receipt was read. Send the request again.'
        : `The archives of ${months} have postings of this order, and their files cannot be read. Put the files back into ARCHIVE_DIR.`,
    details: { retryAfter: RETRY_AFTER_S },
  });
};

export const createReceiptReads = ({ pool, findOrder, findHistory }: Parts) => {
  const findLink = async (marketplaceId: string, orderId: string): Promise<ReceiptLink | null> =>
    (await pool.query<ReceiptLink>(LINK, [marketplaceId, orderId])).rows[0] ?? null;

  /** Whether the history has every posting of the escrow: as many as the account counts, with its balance as their sum. */
  const hasAllPostings = async (marketplaceId: string, { order, postings }: OrderHistory): Promise<boolean> => {
    const account = orderEscrow(order.id, order.currency).id;
    const own = postings.filter(({ accountId }) => accountId === account);
    const { rows } = await pool.query<EscrowRow>(ESCROW, [marketplaceId, account]);
    const { balance, postings: count } = rows[0] ?? { balance: 0n, postings: 0n };
    return BigInt(own.length) === count && sumOf(own.map(({ amount }) => amount)) === fromUnits(balance);
  };

  /** The order and its history at the same moment. */
  const readOrder = async (marketplaceId: string, orderId: string) => {
    for (let attempt = 1; ; attempt++) {
      const history = await findHistory(marketplaceId, orderId);
      const view = history && (await findOrder(marketplaceId, orderId));
      if (!history || !view) return null;
      const isWhole =
        history.order.updatedAt === view.order.updatedAt && (await hasAllPostings(marketplaceId, history));
      if (isWhole) return { history, view };
      if (attempt === ATTEMPTS || history.archives.length > 0) throw incomplete(history);
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
