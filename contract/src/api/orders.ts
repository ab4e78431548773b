// Order routes: from the agreement to the settlement. They ignore an Idempotency-Key, because the state of the order protects against
// a repeated request; a server with ORDER_IDEMPOTENCY=honour does not.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Amount, CreatedBetween, CurrencyCode, Metadata, Page, Strict, Text } from './fields.ts';
import { DisputeOpener, DisputeReason, Milestone, Order, OrderStatus } from './order-records.ts';

const OrderId = Type.String({ maxLength: 64, description: 'Order id.' });
const IdParams = Strict({ id: OrderId });
const OrderParams = Strict({ orderId: OrderId });

const BuyerId = (description: string) => Text(64, description, 'usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W');
const SellerId = (description: string) => Text(64, description, 'usr_01J9ZQ8H7K5M3N2P4R6S8T0V2X');
const ClientOrderRef = Text(LIMITS.referenceLength, 'Your reference; unique within the marketplace.', 'cart-1042');
const Reason = Type.String({
  minLength: 1,
  maxLength: LIMITS.reasonLength,
  // A reason of blanks only is refused.
  pattern: '\\S',
  description: 'Reason; kept in the audit trail.',
  examples: ['agreed with both'],
});

/** The reference is part of a path, where `.` and `..` have another meaning. */
const MilestoneRef = Type.String({
  minLength: 1,
  maxLength: LIMITS.nameLength,
  pattern: '^(?!\\.{1,2}$)',
  description: 'Your reference; unique within the order.',
  examples: ['m1'],
  aliases: ['milestoneRef'],
});

const MilestoneParams = Strict({
  id: OrderId,
  ref: Type.String({ maxLength: LIMITS.nameLength, description: 'Reference of the milestone.' }),
});

const Evidence = Text(LIMITS.evidenceLength, 'A reference, such as a URL.', 'https://shop.example/evidence/1');

const MilestoneAsked = Strict({
  ref: MilestoneRef,
  title: Text(LIMITS.titleLength, 'Title of the milestone.', 'First draft'),
  amount: Amount,
});

const STATE = 'A state that does not allow this is 400 `INVALID_STATE` with the allowed actions.';

const common = { tag: 'Orders', wrapping: 'success', data: Order, errorStatus: { INVALID_STATE: 400 } } as const;
const reading = { ...common, method: 'GET', access: 'read', status: 200 } as const;
const writing = { ...common, method: 'POST', access: 'write', status: 201 } as const;

export const createOrder = endpoint({
  ...writing,
  path: '/orders',
  summary: 'Create order',
  description:
    'An agreement between a buyer and a seller; no money moves yet. `metadata.platformFee` is the percentage of the ' +
    "seller's part that the platform keeps: 0 to 99 with at most two decimal places, as a number or a decimal string; 5 " +
    'when it is absent. Milestones, if any, must add up to the amount. With a `policy` its fee is the default, and its deadlines begin. A suspended user is 400 ' +
    '`INVALID_STATE`.',
  body: Strict({
    buyerId: BuyerId('The buyer, who approves the work and releases the money.'),
    sellerId: SellerId('The seller, who is paid.'),
    amount: Amount,
    currency: Type.Optional(CurrencyCode),
    title: Type.Optional(
      Type.String({
        maxLength: LIMITS.titleLength,
        description: 'Title of the order and of its escrow.',
        examples: ['Logo'],
      }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: LIMITS.descriptionLength, examples: ['A logo in two drafts'] }),
    ),
    clientOrderRef: Type.Optional(ClientOrderRef),
    metadata: Type.Optional(Metadata),
    milestones: Type.Optional(Type.Array(MilestoneAsked, { minItems: 1, maxItems: LIMITS.milestones })),
    policy: Type.Optional(
      Text(LIMITS.nameLength, 'A policy: its name for the newest version, or the id of a version.', 'standard'),
    ),
  }),
  errors: ['INVALID_AMOUNT', 'USER_NOT_FOUND', 'POLICY_NOT_FOUND', 'INVALID_STATE', 'ORDER_ALREADY_EXISTS'],
});

/** Limits of a search, so that its work is bounded. */
export const ORDER_SEARCH = { prefixed: 1_000, newest: 10_000 } as const;

export const listOrders = endpoint({
  ...reading,
  path: '/orders',
  summary: 'List orders',
  description:
    "`q` finds an order by its id, by its buyer's or seller's id (the newest " +
    `${ORDER_SEARCH.newest}), by the beginning of its clientOrderRef (the first ${ORDER_SEARCH.prefixed} such references), and by ` +
    `any part of its title, in any case, among the newest ${ORDER_SEARCH.newest} orders.`,
  query: Strict({
    ...Page,
    ...CreatedBetween,
    q: Type.Optional(Text(LIMITS.referenceLength, 'Search text.', 'cart-10')),
    status: Type.Optional(OrderStatus),
    buyerId: Type.Optional(BuyerId('Only orders of this buyer.')),
    sellerId: Type.Optional(SellerId('Only orders of this seller.')),
    clientOrderRef: Type.Optional(ClientOrderRef),
  }),
  wrapping: 'list',
  errors: [],
});

export const getOrder = endpoint({
  ...reading,
  path: '/orders/:id',
  summary: 'Get order',
  description:
    'The order with its escrow, its dispute, its milestones and its deadlines, and what the fee and the seller come to.',
  params: IdParams,
  errors: ['ORDER_NOT_FOUND'],
});

export const reserveOrder = endpoint({
  ...writing,
  path: '/orders/:id/reserve',
  summary: 'Reserve funds for the order',
  description: `Sets the buyer's money aside: available goes down, reserved goes up. ${STATE}`,
  params: IdParams,
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'INSUFFICIENT_FUNDS'],
});

export const cancelOrder = endpoint({
  ...writing,
  path: '/orders/:id/cancel',
  summary: 'Cancel order',
  description: `Possible while no money is in escrow. The reserved money becomes available again. ${STATE}`,
  params: IdParams,
  body: Strict({ reason: Type.Optional(Reason) }),
  bodyOptional: true,
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE'],
});

export const listMilestones = endpoint({
  ...reading,
  path: '/orders/:id/milestones',
  summary: 'Get milestones',
  description: 'All milestones, in the order in which they were given, on one page.',
  params: IdParams,
  wrapping: 'list',
  data: Milestone,
  errors: ['ORDER_NOT_FOUND'],
});

export const completeMilestone = endpoint({
  ...writing,
  path: '/orders/:id/milestones/:ref/complete',
  summary: 'Complete milestone',
  description: `Possible while the order is IN_PROGRESS, once for each milestone. ${STATE}`,
  params: Strict({ id: OrderId, ref: Type.String({ description: 'Reference of the milestone.' }) }),
  errors: ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'INVALID_STATE'],
});

export const createEscrow = endpoint({
  ...writing,
  path: '/orders/:id/escrow',
  summary: 'Create escrow contract',
  description:
    'Deploys the contract on the ledger. The order becomes ESCROW_FUNDING and the escrow CREATED. They stay ' +
    `ESCROW_CREATING and CREATING until the address of the contract is known. ${STATE}`,
  params: IdParams,
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'ESCROW_ALREADY_EXISTS', 'WALLET_ACTIVATION_LIMIT', 'PROVIDER_TIMEOUT'],
});

export const fundEscrow = endpoint({
  ...writing,
  path: '/orders/:id/escrow/fund',
  summary: 'Fund escrow',
  description:
    'Pays the reserved money into the contract; the order becomes IN_PROGRESS. When funding finally fails, the money ' +
    `stays reserved and the escrow can be created again. ${STATE}`,
  params: IdParams,
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'RESERVE_NOT_FOUND', 'ESCROW_FUNDING_FAILED', 'PROVIDER_TIMEOUT'],
});

export const releaseOrder = endpoint({
  ...writing,
  path: '/orders/:orderId/resolution/release',
  summary: 'Release to seller',
  description: `Pays the seller, minus the platform fee; the order becomes CLOSED. ${STATE}`,
  params: OrderParams,
  body: Strict({ reason: Type.Optional(Reason) }),
  bodyOptional: true,
  status: 200,
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN', 'PROVIDER_TIMEOUT'],
});

export const refundOrder = endpoint({
  ...writing,
  path: '/orders/:orderId/resolution/refund',
  summary: 'Refund to buyer',
  description: `Pays the buyer back in full; the order becomes CLOSED. ${STATE}`,
  params: OrderParams,
  body: Strict({ reason: Reason }),
  status: 200,
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN', 'PROVIDER_TIMEOUT'],
});

const PARTS =
  'An order with fewer than two milestones, another state of the order or of the milestone, and an operation that is running ' +
  'are 400 `INVALID_STATE`.';

const parting = { ...writing, params: MilestoneParams, status: 200 } as const;

export const releaseMilestone = endpoint({
  ...parting,
  path: '/orders/:id/milestones/:ref/release',
  summary: 'Release milestone to seller',
  description:
    'Pays the seller the amount of a COMPLETED milestone, minus its part of the platform fee. The order stays IN_PROGRESS until ' +
    `every milestone is paid; then it becomes CLOSED. ${PARTS}`,
  body: Strict({ reason: Type.Optional(Reason) }),
  bodyOptional: true,
  errors: ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const refundMilestone = endpoint({
  ...parting,
  path: '/orders/:id/milestones/:ref/refund',
  summary: 'Refund milestone to buyer',
  description:
    'Pays the buyer the amount of an OPEN or COMPLETED milestone back. The order stays IN_PROGRESS until every milestone is paid; ' +
    `then it becomes CLOSED. ${PARTS}`,
  body: Strict({ reason: Reason }),
  errors: ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'INVALID_STATE', 'PROVIDER_TIMEOUT'],
});

export const disputeMilestone = endpoint({
  ...parting,
  path: '/orders/:id/milestones/:ref/dispute',
  summary: 'Open dispute about milestone',
  description:
    'The milestone becomes DISPUTED, and only the resolution of the dispute pays it. The order stays IN_PROGRESS, and its other ' +
    `milestones go on. Nothing moves on the ledger. ${PARTS}`,
  body: Strict({
    orderId: Type.Optional(Text(LIMITS.referenceLength, 'The order id in the path takes precedence.')),
    openedBy: DisputeOpener,
    reason: DisputeReason,
    evidence: Type.Optional(Type.Array(Evidence, { maxItems: LIMITS.evidenceItems })),
  }),
  errors: ['ORDER_NOT_FOUND', 'MILESTONE_NOT_FOUND', 'INVALID_STATE'],
});
