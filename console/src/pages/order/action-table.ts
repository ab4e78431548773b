// The actions on an order by status. The server decides; this table only says which of them make sense now, and its confirmation asks
// the server for the effects.

import type { Order, OrderStatus } from '@holdfast/sdk';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';

export type ActionName = 'reserve' | 'escrow' | 'fund' | 'release' | 'refund' | 'dispute' | 'cancel';

export type Action = {
  readonly name: ActionName;
  readonly verb: string;
  readonly from: readonly OrderStatus[];
  readonly tone?: 'accent' | 'bad';
  /** The effect in a sentence or two. */
  readonly description: (order: Order) => string;
  /** Why the action is not possible yet although the status allows it. */
  readonly against?: (order: Order) => string | null;
};

/** What is still to be paid out; the whole amount unless milestones were paid on their own. */
export const leftOf = ({ amount, paid }: Pick<Order, 'amount' | 'paid'>): string => paid?.left ?? amount;

const money = (order: Order): string => `${formatAmount(amountOf(leftOf(order)))} ${order.currency}`;

const openMilestones = ({ milestones }: Order): string[] =>
  milestones.filter(({ status }) => status === 'OPEN').map(({ title }) => title);

export const ACTIONS: readonly Action[] = [
  {
    name: 'reserve',
    verb: 'Reserve funds',
    from: ['ORDER_CREATED'],
    tone: 'accent',
    description: (order) =>
      `Reserves ${money(order)} of the buyer’s balance for this order. The order can still be canceled.`,
  },
  {
    name: 'escrow',
    verb: 'Create escrow',
    from: ['FUNDS_RESERVED'],
    tone: 'accent',
    description: (order) =>
      `Deploys a contract for ${money(order)} on the ledger, signed by the buyer’s wallet. No money moves yet, but the order can no longer be canceled.`,
  },
  {
    name: 'fund',
    verb: 'Fund escrow',
    from: ['ESCROW_FUNDING'],
    tone: 'accent',
    description: (order) =>
      `Pays the reserved ${money(order)} into the contract on the ledger. The treasury first sends what the buyer’s wallet lacks.`,
  },
  {
    name: 'release',
    verb: 'Release to seller',
    from: ['IN_PROGRESS'],
    tone: 'accent',
    description: (order) =>
      `The contract pays the seller ${money(order)} less the platform fee${order.policy ? '' : ` of ${order.platformFee} %`}. This is final.`,
    against(order) {
      const open = openMilestones(order);
      return open.length > 0 ? `Open milestones: ${open.join(', ')}.` : null;
    },
  },
  {
    name: 'refund',
    verb: 'Refund buyer',
    from: ['IN_PROGRESS'],
    tone: 'bad',
    description: (order) =>
      `The contract refunds ${money(order)} to the buyer. The seller is paid nothing and no platform fee is charged. This is final.`,
  },
  {
    name: 'dispute',
    verb: 'Open dispute',
    from: ['IN_PROGRESS'],
    description: (order) =>
      `${money(order)} stays in escrow until a key with the “support” scope resolves the dispute. Until then the order cannot be released or refunded.`,
  },
  {
    name: 'cancel',
    verb: 'Cancel order',
    from: ['ORDER_CREATED', 'FUNDS_RESERVED'],
    tone: 'bad',
    description: (order) =>
      order.status === 'ORDER_CREATED'
        ? 'Closes the order. No money moves.'
        : `Closes the order. The reserved ${money(order)} becomes available to the buyer again.`,
  },
];

export const actionsFor = ({ status }: Pick<Order, 'status'>): Action[] =>
  ACTIONS.filter(({ from }) => from.includes(status));
