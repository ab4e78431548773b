// Creates and revokes the public link of a receipt. The audit entries contain neither the link nor its hash.

import { DomainError } from '../../base/domain-error.ts';
import { laterBy } from '../../base/instant.ts';
import { command, type Need } from '../../commit/command.ts';
import { type FreshLink, isActive, type ReceiptLink } from './receipt-link.ts';

type CreateInput = { readonly orderId: string; readonly link: FreshLink; readonly validMs: number };

const needs = ({ orderId: id }: { readonly orderId: string }): { rows: Need[] } => ({
  rows: [
    { table: 'orders', id },
    { table: 'receiptLinks', id },
  ],
});

/** The route has made sure that the order has a receipt. */
export const createReceiptLink = command<CreateInput, ReceiptLink>({
  name: 'create-receipt-link',
  needs,
  decide({ orderId, link, validMs }, work) {
    const order = work.get('orders', orderId);
    const before = work.find('receiptLinks', orderId);
    const created: ReceiptLink = {
      id: orderId,
      tokenHash: link.tokenHash,
      expiresAt: laterBy(work.now, validMs),
      revokedAt: null,
      createdAt: work.now,
      updatedAt: work.now,
    };
    work.put('receiptLinks', created);
    work.audit({
      action: 'RECEIPT_LINK_CREATED',
      resourceType: 'Order',
      resourceId: orderId,
      userId: order.buyerId,
      after: { expiresAt: created.expiresAt, replaces: before !== undefined && isActive(before, work.now) },
    });
    return created;
  },
});

export const revokeReceiptLink = command<{ readonly orderId: string }, { readonly revokedAt: string }>({
  name: 'revoke-receipt-link',
  needs,
  decide({ orderId }, work) {
    const order = work.get('orders', orderId);
    const link = work.find('receiptLinks', orderId);
    if (link === undefined || !isActive(link, work.now)) throw new DomainError('RECEIPT_LINK_NOT_FOUND');
    work.put('receiptLinks', { ...link, revokedAt: work.now, updatedAt: work.now });
    work.audit({
      action: 'RECEIPT_LINK_REVOKED',
      resourceType: 'Order',
      resourceId: orderId,
      userId: order.buyerId,
      before: { expiresAt: link.expiresAt },
    });
    return { revokedAt: work.now };
  },
});
