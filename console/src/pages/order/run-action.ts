// Sends an action on an order, and names the next step.

import type { DisputeOpener, DisputeReason, Order } from '@holdfast/sdk';
import type { Client } from '../../api.ts';
import type { ActionName } from './action-table.ts';

export type ActionFields = {
  readonly reason: string;
  readonly openedBy: DisputeOpener;
  readonly complaint: DisputeReason;
  /** One reference per line. */
  readonly evidence: string;
};

export const EMPTY_FIELDS: ActionFields = { reason: '', openedBy: 'BUYER', complaint: 'NOT_DELIVERED', evidence: '' };

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

type ActionRequest = { readonly id: string; readonly action: ActionName; readonly fields: ActionFields };

export const runAction = async (client: Client, { id, action, fields }: ActionRequest): Promise<Order> => {
  const reason = fields.reason.trim();
  const why = reason ? { reason } : {};
  switch (action) {
    case 'reserve':
      return client.orders.reserve(id);
    case 'escrow':
      return client.orders.createEscrow(id);
    case 'fund':
      return client.orders.fundEscrow(id);
    case 'release':
      return client.orders.release(id, why);
    case 'refund':
      return client.orders.refund(id, { reason });
    case 'cancel':
      return client.orders.cancel(id, why);
    case 'dispute': {
      const evidence = linesOf(fields.evidence);
      const input = {
        openedBy: fields.openedBy,
        reason: fields.complaint,
        ...(evidence.length > 0 ? { evidence } : {}),
      };
      return (await client.orders.dispute(id, input)).order;
    }
  }
};

const DRY = { dryRun: true } as const;

/** What the server would do. A refund needs a reason, and its text changes no figure. */
export const previewAction = (client: Client, { id, action }: Omit<ActionRequest, 'fields'>) => {
  const { orders } = client;
  switch (action) {
    case 'reserve':
      return orders.reserve(id, DRY);
    case 'escrow':
      return orders.createEscrow(id, DRY);
    case 'fund':
      return orders.fundEscrow(id, DRY);
    case 'release':
      return orders.release(id, {}, DRY);
    case 'refund':
      return orders.refund(id, { reason: 'preview' }, DRY);
    case 'cancel':
      return orders.cancel(id, {}, DRY);
    case 'dispute':
      return orders.dispute(id, { openedBy: 'BUYER', reason: 'OTHER' }, DRY);
  }
};

const DONE: Readonly<Record<ActionName, { title: string; text: string }>> = {
  reserve: { title: 'Funds reserved', text: 'Next: create the escrow.' },
  escrow: { title: 'Escrow created', text: 'Next: fund the escrow.' },
  fund: { title: 'Escrow funded', text: 'Next: release to the seller when the work is done.' },
  release: { title: 'Released to seller', text: 'The order is closed. The timeline shows every step.' },
  refund: { title: 'Buyer refunded', text: 'The order is closed. The timeline shows every step.' },
  dispute: { title: 'Dispute opened', text: 'Next: assign it on the Disputes page.' },
  cancel: { title: 'Order canceled', text: 'The order is closed. Reserved funds are available again.' },
};

/** The next step waits while the address of the contract is not known. */
export const doneMessage = (order: Order, action: ActionName): { title: string; text: string } =>
  order.status === 'ESCROW_CREATING'
    ? { title: 'Creating escrow', text: 'The contract address appears here when it is known.' }
    : DONE[action];

export const FAILED: Readonly<Record<ActionName, string>> = {
  reserve: 'The funds were not reserved',
  escrow: 'The escrow was not created',
  fund: 'The escrow was not funded',
  release: 'The order was not released',
  refund: 'The order was not refunded',
  dispute: 'The dispute was not opened',
  cancel: 'The order was not canceled',
};
