// Dispute routes: open, list, assign and resolve. Either party of an order opens a dispute; support resolves it.

import Type from 'typebox';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { CreatedBetween, Name, Page, Strict, Text, WRITTEN } from './fields.ts';
import {
  Dispute,
  DisputeDecision,
  DisputeOpener,
  DisputeReason,
  DisputeStatus,
  DisputeWithOrder,
} from './order-records.ts';

const IdParams = Strict({ id: Type.String({ maxLength: 64, description: 'Dispute id.' }) });
const Evidence = Text(LIMITS.evidenceLength, 'A reference, such as a URL.', 'https://shop.example/evidence/1');

const STATE = 'In another state: 400 `INVALID_STATE`.';

const common = {
  tag: 'Disputes',
  wrapping: 'success',
  status: 200,
  data: DisputeWithOrder,
  errorStatus: { INVALID_STATE: 400 },
} as const;
const reading = { ...common, method: 'GET', access: 'read' } as const;
/** Needs the support scope. */
const judging = { ...common, method: 'POST', access: 'support', params: IdParams, idempotent: true } as const;

export const openDispute = endpoint({
  ...common,
  method: 'POST',
  access: 'write',
  path: '/orders/:orderId/resolution/dispute',
  summary: 'Open dispute',
  description: `Possible while the order is IN_PROGRESS. Nothing moves on the ledger. ${STATE}`,
  params: Strict({ orderId: Type.String({ maxLength: 64, description: 'Order id.' }) }),
  body: Strict({
    orderId: Text(
      LIMITS.referenceLength,
      'Required. The order id in the path takes precedence.',
      'ord_01J9ZQ8H7K5M3N2P4R6S8T0V1W',
    ),
    openedBy: DisputeOpener,
    reason: DisputeReason,
    evidence: Type.Optional(Type.Array(Evidence, { maxItems: LIMITS.evidenceItems })),
  }),
  status: 201,
  errors: ['ORDER_NOT_FOUND', 'INVALID_STATE', 'DISPUTE_ALREADY_OPEN'],
});

export const listDisputes = endpoint({
  ...reading,
  path: '/disputes',
  summary: 'List disputes',
  description: 'Newest first.',
  query: Strict({
    ...Page,
    ...CreatedBetween,
    orderId: Type.Optional(Text(64, 'Only disputes about this order.')),
    buyerId: Type.Optional(Text(64, 'Only disputes about orders of this buyer.')),
    sellerId: Type.Optional(Text(64, 'Only disputes about orders of this seller.')),
    status: Type.Optional(DisputeStatus),
    openedBy: Type.Optional(DisputeOpener),
  }),
  wrapping: 'list',
  data: Dispute,
  errors: [],
});

export const getDispute = endpoint({
  ...reading,
  path: '/disputes/:id',
  summary: 'Get dispute',
  description: 'The dispute with its reason, its agent and, when it is resolved, the decision and what it paid.',
  params: IdParams,
  errors: ['DISPUTE_NOT_FOUND'],
});

export const assignDispute = endpoint({
  ...judging,
  path: '/disputes/:id/assign',
  summary: 'Assign to an agent',
  description: `An OPEN dispute becomes UNDER_REVIEW. ${STATE}`,
  body: Strict({
    assignedTo: Name('The agent who reviews the dispute; any name of yours.', 'agent-7'),
  }),
  errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE'],
});

const Share = (description: string, alias: string) =>
  Type.String({ maxLength: LIMITS.amountLength, description, examples: ['60.00'], aliases: [alias], ...WRITTEN });

export const resolveDispute = endpoint({
  ...judging,
  path: '/disputes/:id/resolve',
  summary: 'Resolve dispute',
  description:
    'Pays as decided. A dispute that is UNDER_REVIEW becomes RESOLVED and its order CLOSED. FULL_RELEASE pays the ' +
    'seller, FULL_REFUND pays the buyer. SPLIT needs both amounts; they must add up to the disputed money (the amount of ' +
    'the order less the milestones that were paid before, or the amount of the disputed milestone), and one of them may ' +
    `be 0.00. The platform fee is taken from the seller's part. ${STATE}`,
  body: Strict(
    {
      decision: DisputeDecision,
      releaseAmount: Type.Optional(Share("The seller's part.", 'sellerAmount')),
      refundAmount: Type.Optional(Share("The buyer's part.", 'buyerAmount')),
      note: Type.Optional(Text(LIMITS.descriptionLength, 'Reason for the decision.')),
    },
    {
      examples: [
        { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00', note: 'half of the work was done' },
      ],
      variants: [
        { only: { decision: ['FULL_RELEASE', 'FULL_REFUND'] }, without: ['releaseAmount', 'refundAmount'] },
        { only: { decision: ['SPLIT'] }, needs: ['releaseAmount', 'refundAmount'] },
      ],
    },
  ),
  errors: ['DISPUTE_NOT_FOUND', 'INVALID_STATE', 'INVALID_AMOUNT', 'PROVIDER_TIMEOUT'],
});
