// Carries out what was asked for with an order, and says what comes next.

import type { DisputeOpener, DisputeReason, Order } from '@holdfast/sdk';
import type { Client } from '../../api.ts';
import type { ActionName } from './action-table.ts';

export type Words = {
  readonly reason: string;
  readonly openedBy: DisputeOpener;
  readonly complaint: DisputeReason;
  /** One reference in each line. */
  readonly evidence: string;
};

export const NO_WORDS: Words = { reason: '', openedBy: 'BUYER', complaint: 'NOT_DELIVERED', evidence: '' };

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

type Ask = { readonly id: string; readonly action: ActionName; readonly words: Words };

export const runAction = async (client: Client, { id, action, words }: Ask): Promise<Order> => {
  const reason = words.reason.trim();
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
      const evidence = linesOf(words.evidence);
      const asked = { openedBy: words.openedBy, reason: words.complaint, ...(evidence.length > 0 ? { evidence } : {}) };
      return (await client.orders.dispute(id, asked)).order;
    }
  }
};

const DONE: Readonly<Record<ActionName, { title: string; text: string }>> = {
  reserve: { title: 'The money is set aside', text: 'Next: create the escrow.' },
  escrow: { title: 'The escrow stands', text: 'Next: pay the reserved money into it.' },
  fund: { title: 'The escrow is funded', text: 'Next: when the work is done, release it to the seller.' },
  release: { title: 'The seller is paid', text: 'The order is closed. The timeline shows every step.' },
  refund: { title: 'The buyer is paid back', text: 'The order is closed. The timeline shows every step.' },
  dispute: { title: 'The dispute is open', text: 'Next: somebody takes it up on the disputes desk.' },
  cancel: { title: 'The order is called off', text: 'It is closed, and what was reserved is available again.' },
};

/** Where the contract's address is not known yet, the next step has to wait for it. */
export const toldWhenDone = (order: Order, action: ActionName): { title: string; text: string } =>
  order.status === 'ESCROW_CREATING'
    ? { title: 'The escrow is being created', text: 'Its address is not known yet; it appears here by itself.' }
    : DONE[action];

export const FAILED: Readonly<Record<ActionName, string>> = {
  reserve: 'The money was not set aside',
  escrow: 'The escrow was not created',
  fund: 'The escrow was not funded',
  release: 'The order was not released',
  refund: 'The order was not refunded',
  dispute: 'The dispute was not opened',
  cancel: 'The order was not called off',
};
