// What can be done with an order in which state, and what each of it means in figures. The server decides; this only says
// beforehand what it will say.

import type { Order, OrderStatus } from '@holdfast/sdk';
import { add, amountOf, formatAmount, negate, subtract, type Units, ZERO } from '../../parts/amounts.ts';
import type { Held } from '../../parts/balances.ts';
import type { Effect } from '../../parts/confirm.tsx';
import { sharesOnRelease } from './fees.ts';

export type ActionName = 'reserve' | 'escrow' | 'fund' | 'release' | 'refund' | 'dispute' | 'cancel';

/** What the two parties have; null while it is not known. */
export type Purses = { readonly buyer: Held | null; readonly seller: Held | null };

type Action = {
  readonly name: ActionName;
  readonly verb: string;
  readonly from: readonly OrderStatus[];
  readonly tone?: 'accent' | 'bad';
  /** What will happen, in a sentence or two. */
  readonly says: (order: Order) => string;
  readonly effects: (order: Order, purses: Purses) => Effect[];
  /** Why not, although the state allows it. */
  readonly against?: (order: Order, purses: Purses) => string | null;
};

const money = (order: Order): string => `${formatAmount(amountOf(order.amount))} ${order.currency}`;

type Change = { readonly name: string; readonly before: Units | undefined; readonly change: Units };

const effect = ({ currency }: Order, { name, before, change }: Change): Effect => ({
  ...{ name, currency, change },
  ...(before === undefined ? {} : { before, after: add(before, change) }),
});

const inEscrow = (order: Order, change: Units): Effect =>
  effect(order, { name: 'In escrow', before: change < ZERO ? negate(change) : ZERO, change });

const openMilestones = ({ milestones }: Order): string[] =>
  milestones.filter(({ status }) => status === 'OPEN').map(({ title }) => title);

const tooLittle = (order: Order, { buyer }: Purses): string | null => {
  const missing = buyer && subtract(amountOf(order.amount), buyer.available);
  if (missing === null || missing <= ZERO) return null;
  return `The buyer has ${formatAmount(buyer!.available)} ${order.currency} available: ${formatAmount(missing)} are missing. A top-up or a credit helps.`;
};

export const ACTIONS: readonly Action[] = [
  {
    name: 'reserve',
    verb: 'Reserve funds',
    from: ['ORDER_CREATED'],
    tone: 'accent',
    says: (order) => `${money(order)} of the buyer is set aside for this order. It can still be called off.`,
    effects(order, { buyer }) {
      const amount = amountOf(order.amount);
      return [
        effect(order, { name: 'Buyer, available', before: buyer?.available, change: negate(amount) }),
        effect(order, { name: 'Buyer, reserved', before: buyer?.reserved, change: amount }),
      ];
    },
    against: tooLittle,
  },
  {
    name: 'escrow',
    verb: 'Create escrow',
    from: ['FUNDS_RESERVED'],
    tone: 'accent',
    says: (order) =>
      `A contract for ${money(order)} is deployed on the ledger, signed with the buyer’s wallet. No money moves yet, but the order cannot be called off any more.`,
    effects: () => [],
  },
  {
    name: 'fund',
    verb: 'Fund escrow',
    from: ['ESCROW_FUNDING'],
    tone: 'accent',
    says: (order) =>
      `The buyer’s reserved ${money(order)} is paid into the contract on the ledger. What the buyer’s wallet lacks comes from the treasury first.`,
    effects(order, { buyer }) {
      const amount = amountOf(order.amount);
      return [
        effect(order, { name: 'Buyer, reserved', before: buyer?.reserved, change: negate(amount) }),
        inEscrow(order, amount),
      ];
    },
    against: ({ escrow }) => (escrow?.status === 'CREATED' ? null : 'The contract is not ready to be paid into.'),
  },
  {
    name: 'release',
    verb: 'Release to seller',
    from: ['IN_PROGRESS'],
    tone: 'accent',
    says: (order) =>
      `The contract pays. The seller gets ${money(order)} less the platform’s ${order.platformFee} %. This is final.`,
    effects(order, { seller }) {
      const shares = sharesOnRelease(order);
      return [
        inEscrow(order, negate(shares.part)),
        effect(order, { name: 'Seller, available', before: seller?.available, change: shares.seller }),
        effect(order, { name: 'Platform fees', before: undefined, change: shares.fee }),
      ];
    },
    against(order) {
      const open = openMilestones(order);
      return open.length > 0 ? `Not yet completed: ${open.join(', ')}.` : null;
    },
  },
  {
    name: 'refund',
    verb: 'Refund buyer',
    from: ['IN_PROGRESS'],
    tone: 'bad',
    says: (order) =>
      `The contract pays all of ${money(order)} back to the buyer; the seller gets nothing, the platform keeps nothing. This is final.`,
    effects(order, { buyer }) {
      const amount = amountOf(order.amount);
      return [
        inEscrow(order, negate(amount)),
        effect(order, { name: 'Buyer, available', before: buyer?.available, change: amount }),
      ];
    },
  },
  {
    name: 'dispute',
    verb: 'Open a dispute',
    from: ['IN_PROGRESS'],
    says: (order) =>
      `${money(order)} stays in escrow until somebody with the scope “support” has decided. Nothing can be released or refunded meanwhile.`,
    effects: () => [],
  },
  {
    name: 'cancel',
    verb: 'Cancel order',
    from: ['ORDER_CREATED', 'FUNDS_RESERVED'],
    tone: 'bad',
    says: (order) =>
      order.status === 'ORDER_CREATED'
        ? 'The order is closed. No money has moved, and none will.'
        : `The order is closed, and the reserved ${money(order)} is the buyer’s to spend again.`,
    effects(order, { buyer }) {
      if (order.status === 'ORDER_CREATED') return [];
      const amount = amountOf(order.amount);
      return [
        effect(order, { name: 'Buyer, reserved', before: buyer?.reserved, change: negate(amount) }),
        effect(order, { name: 'Buyer, available', before: buyer?.available, change: amount }),
      ];
    },
  },
];

export const actionsFor = ({ status }: Pick<Order, 'status'>): Action[] =>
  ACTIONS.filter(({ from }) => from.includes(status));

export type { Action };
