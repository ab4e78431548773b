// An order with its milestones, escrow and disputes, as the wire shows them.

import Type from 'typebox';
import {
  DEADLINE_KINDS,
  DEADLINE_STATUSES,
  DISPUTE_DECISIONS,
  DISPUTE_OPENERS,
  DISPUTE_REASONS,
  DISPUTE_STATUSES,
  ESCROW_STATUSES,
  FINAL_STATUSES,
  MILESTONE_STATUSES,
  OPERATION_KINDS,
  OPERATION_STATES,
  ORDER_STATUSES,
} from '../states.ts';
import { CurrencyCode, Id, Metadata, Nullable, ShownAmount, Timestamp } from './fields.ts';

export const OrderStatus = Type.Enum(ORDER_STATUSES);
export const DisputeStatus = Type.Enum(DISPUTE_STATUSES);
export const DisputeOpener = Type.Enum(DISPUTE_OPENERS, { description: 'Who opened the dispute.' });
export const DisputeReason = Type.Enum(DISPUTE_REASONS, { description: 'Reason of the dispute.' });
export const DisputeDecision = Type.Enum(DISPUTE_DECISIONS, { description: 'The decision.' });

const times = {
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
};

export const Milestone = Type.Object({
  ref: Type.String({ description: 'Your reference; unique within the order.' }),
  title: Type.String(),
  amount: ShownAmount('The amount of this milestone.'),
  status: Type.Enum(MILESTONE_STATUSES),
  completedAt: Nullable(Timestamp('When it was completed.')),
  releasedAmount: Type.Optional(
    ShownAmount("The seller's part, before the platform fee; only when the milestone was paid on its own."),
  ),
  refundedAmount: Type.Optional(ShownAmount("The buyer's part; only when the milestone was paid on its own.")),
  fee: Type.Optional(ShownAmount("The platform's fee; only when the milestone was paid on its own.")),
  disputeId: Type.Optional(Id('dispute', 'The last dispute about this milestone; only when there was one.')),
});

const Paid = Type.Object(
  {
    seller: ShownAmount('What the seller got, after the platform fee.'),
    buyer: ShownAmount('What the buyer got back.'),
    fee: ShownAmount('What the platform kept.'),
    left: ShownAmount('What is still in escrow.'),
  },
  {
    description:
      'What was paid so far; only when a milestone was paid on its own. The four amounts add up to the amount of the order, before they are cut to two places.',
  },
);

export const Escrow = Type.Object({
  id: Id('escrow', 'Escrow id.'),
  providerContractId: Nullable(Type.String({ description: 'Address of the contract; null until it is deployed.' })),
  contractType: Type.Enum(['single-release', 'multi-release'], {
    description: 'Multi-release when the order has more than one milestone.',
  }),
  status: Type.Enum(ESCROW_STATUSES),
  amount: ShownAmount("The order's amount."),
  terms: Nullable(Type.Object({ milestones_required: Type.Literal(true) })),
  fundedAt: Nullable(Timestamp('When it was funded.')),
  releasedAt: Nullable(Timestamp('When it was released.')),
  refundedAt: Nullable(Timestamp('When it was refunded.')),
  ...times,
});

const dispute = {
  id: Id('dispute', 'Dispute id.'),
  orderId: Id('order', 'The disputed order.'),
  milestoneRef: Type.Optional(
    Type.String({ description: 'The disputed milestone; absent when it is the whole order.' }),
  ),
  openedBy: DisputeOpener,
  reason: DisputeReason,
  evidence: Nullable(Type.Array(Type.String(), { description: 'References, such as URLs; null when none were sent.' })),
  status: DisputeStatus,
  assignedTo: Nullable(Type.String({ description: 'The agent who reviews the dispute; null while it is unassigned.' })),
  resolutionDecision: Nullable(DisputeDecision),
  decisionNote: Nullable(Type.String({ description: 'Reason for the decision; null until the dispute is resolved.' })),
  sellerAmount: Nullable(ShownAmount("The seller's part as decided, before the platform fee.")),
  buyerAmount: Nullable(ShownAmount("The buyer's part as decided.")),
  ...times,
  resolvedAt: Nullable(Timestamp('When the dispute was resolved.')),
};

export const Dispute = Type.Object(dispute);

const Operation = Type.Object(
  {
    id: Id('operation', 'Operation id.'),
    kind: Type.Enum(OPERATION_KINDS),
    state: Type.Enum(OPERATION_STATES),
    startedAt: Timestamp('When the operation was requested.'),
    attempts: Type.Integer({
      description: 'How often the operation was retried because an outside system did not answer.',
    }),
  },
  { description: 'The operation that is running with the outside systems now.' },
);

const PolicyName = Type.Object(
  {
    id: Id('policy', 'Id of the version.'),
    name: Type.String(),
    version: Type.Integer(),
  },
  { description: 'The policy that the order took when it was created; null when it took none.' },
);

export const Deadline = Type.Object({
  kind: Type.Enum(DEADLINE_KINDS),
  at: Timestamp('When it passes. With simulators it follows their clock.'),
  status: Type.Enum(DEADLINE_STATUSES, {
    description:
      '`DONE`: it has passed, and what it does was begun. `CANCELED`: it became pointless. `HELD`: it waits for an operator, who has held it or has to decide after too many refusals.',
  }),
  milestoneRef: Nullable(Type.String({ description: 'The milestone that is inspected or disputed.' })),
  of: Nullable(Type.Enum(DEADLINE_KINDS, { description: 'Of a reminder: the deadline that it belongs to.' })),
  attempts: Type.Optional(
    Type.Integer({
      description: 'How often an outside system had refused its work before; absent when that did not happen.',
    }),
  ),
  failure: Type.Optional(
    Type.String({
      description:
        'Of one that is DONE: why its work was refused; another one stands in its place. Otherwise why the one before it was refused.',
    }),
  ),
});

export const Order = Type.Object({
  id: Id('order', 'Order id.'),
  status: OrderStatus,
  finalStatus: Nullable(Type.Enum(FINAL_STATUSES, { description: 'How the order ended; null until it is CLOSED.' })),
  amount: ShownAmount('The amount that the buyer pays.'),
  currency: CurrencyCode,
  buyerId: Id('user', 'The buyer.'),
  sellerId: Id('user', 'The seller.'),
  title: Type.String({ description: 'Empty when none was given.' }),
  description: Nullable(Type.String()),
  clientOrderRef: Nullable(Type.String({ description: 'Your reference; unique within the marketplace.' })),
  metadata: Metadata,
  platformFee: Type.String({
    description: 'The same as `platformFeePercent`: a percentage, and not an amount.',
    examples: ['5.00'],
  }),
  platformFeePercent: Type.String({
    description:
      "Percent of the seller's part that the platform keeps: `metadata.platformFee` of the order, or else of its policy, or else 5.",
    examples: ['5.00'],
  }),
  platformFeeAmount: ShownAmount(
    'What the platform keeps, with all terms of its policy. Of a CLOSED order: what it kept. Of an open one: what it keeps when all ' +
      'that is left is released. Cut to two places; the receipt has all places.',
  ),
  sellerNet: ShownAmount(
    'What the seller gets, after the fee. Of a CLOSED order: what was paid. Of an open one: what the seller has got when all that is ' +
      'left is released. Cut to two places; the receipt has all places.',
  ),
  buyerRefund: ShownAmount(
    'What the buyer got back; 0.00 while nothing was refunded. Before they are cut to two places, the platform fee, the net amount ' +
      'of the seller and this add up to the amount of the order, unless it was canceled.',
  ),
  escrow: Nullable(Escrow),
  dispute: Nullable(Dispute),
  milestones: Type.Array(Milestone, { description: 'In the order in which they were given.' }),
  paid: Type.Optional(Paid),
  operation: Nullable(Operation),
  policy: Nullable(PolicyName),
  deadlines: Type.Array(Deadline, {
    description: 'The deadlines of its policy, earliest first; also those that have passed or became pointless.',
  }),
  ...times,
});

const { id, status, finalStatus, milestones, deadlines, ...others } = Order.properties;

/** What a step of an outlook leaves of the order. */
export const ChangedOrder = Type.Object(
  {
    id,
    status,
    finalStatus,
    milestones: Type.Optional(Type.Array(milestones.items, { description: 'Those that it changes.' })),
    deadlines: Type.Optional(Type.Array(deadlines.items, { description: 'Those that it changes.' })),
    ...Type.Partial(Type.Object(others)).properties,
  },
  {
    description:
      'The order afterwards: its id and status, and of the other fields, milestones and deadlines only those that the step changes.',
  },
);

export const DisputeWithOrder = Type.Object({ ...dispute, order: Order });
