// The actions on an order by status, with their effects in figures. The server decides; this table only predicts its
// answer.

import type { Order, OrderStatus } from '@holdfast/sdk';
import { add, amountOf, formatAmount, negate, subtract, type Units, ZERO } from '../../parts/money/amounts.ts';
import type { ExactBalance } from '../../parts/money/balances.ts';
import type { Effect } from '../../parts/money/confirm.tsx';
import { sharesOnRelease } from './fees.ts';

export type ActionName = 'reserve' | 'escrow' | 'fund' | 'release' | 'refund' | 'dispute' | 'cancel';

/** The balances of both parties; null while they are loading. */
export type PartyBalances = { readonly buyer: ExactBalance | null; readonly seller: ExactBalance | null };

export type Action = {
  readonly name: ActionName;
  readonly verb: string;
  readonly from: readonly OrderStatus[];
  readonly tone?: 'accent' | 'bad';
  /** The effect in a sentence or two. */
  readonly description: (order: Order) => string;
  readonly effects: (order: Order, balances: PartyBalances) => Effect[];
  /** The reason why the action is refused although the status allows it. */
  readonly against?: (order: Order, balances: PartyBalances) => string | null;
};

const money = (order: Order): string => `${formatAmount(amountOf(order.amount))} ${order.currency}`;

type Change = { readonly name: string; readonly before: Units | undefined; readonly change: Units };

const effect = ({ currency }: Order, { name, before, change }: Change): Effect => ({
  name,
  currency,
  change,
  ...(before === undefined ? {} : { before, after: add(before, change) }),
});

const inEscrow = (order: Order, change: Units): Effect =>
  effect(order, { name: 'In escrow', before: change < ZERO ? negate(change) : ZERO, change });

const openMilestones = ({ milestones }: Order): string[] =>
  milestones.filter(({ status }) => status === 'OPEN').map(({ title }) => title);

const tooLittle = (order: Order, { buyer }: PartyBalances): string | null => {
  const missing = buyer && subtract(amountOf(order.amount), buyer.available);
  if (missing === null || missing <= ZERO) return null;
  return `Insufficient funds: the buyer has ${formatAmount(buyer!.available)} ${order.currency} available and needs ${formatAmount(missing)} more. Add a top-up or a credit.`;
};

export const ACTIONS: readonly Action[] = [
  {
    name: 'reserve',
    verb: 'Reserve funds',
    from: ['ORDER_CREATED'],
    tone: 'accent',
    description: (order) =>
      `Reserves ${money(order)} of the buyer’s balance for this order. The order can still be canceled.`,
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
    description: (order) =>
      `Deploys a contract for ${money(order)} on the ledger, signed by the buyer’s wallet. No money moves yet, but the order can no longer be canceled.`,
    effects: () => [],
  },
  {
    name: 'fund',
    verb: 'Fund escrow',
    from: ['ESCROW_FUNDING'],
    tone: 'accent',
    description: (order) =>
      `Pays the reserved ${money(order)} into the contract on the ledger. The treasury first sends what the buyer’s wallet lacks.`,
    effects(order, { buyer }) {
      const amount = amountOf(order.amount);
      return [
        effect(order, { name: 'Buyer, reserved', before: buyer?.reserved, change: negate(amount) }),
        inEscrow(order, amount),
      ];
    },
    against: ({ escrow }) => (escrow?.status === 'CREATED' ? null : 'The contract is not ready for funding.'),
  },
  {
    name: 'release',
    verb: 'Release to seller',
    from: ['IN_PROGRESS'],
    tone: 'accent',
    description: (order) =>
      `The contract pays the seller ${money(order)} less the platform fee of ${order.platformFee} %. This is final.`,
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
    verb: 'Open dispute',
    from: ['IN_PROGRESS'],
    description: (order) =>
      `${money(order)} stays in escrow until a key with the “support” scope resolves the dispute. Until then the order cannot be released or refunded.`,
    effects: () => [],
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
