// The sagas of an order: how each order is prepared, which request starts the saga, and how it ends without a kill of the
// server. Every order is of 100.00 with the usual fee of 5 %; the contract's own protocol takes 0.3 %.

import type { Environment, Place } from './order-environment.ts';

/** An order that waits for its saga. */
export type Waiting = Place & { readonly saga: Saga; readonly orderId: string; readonly disputeId: string | null };

type Phase = 'reserved' | 'created' | 'funded' | 'disputed';

/** A milestone that is released before the saga begins. */
const FIRST = 'm0';

export type Saga = {
  readonly from: Phase;
  readonly parts: readonly string[];
  readonly request: (waiting: Waiting) => string;
  readonly body?: object;
  /** Order status and escrow status, before and after the saga. */
  readonly before: readonly [order: string, escrow: string | null];
  readonly after: readonly [order: string, escrow: string];
  /** Final balances of buyer and seller when this is their only order. The buyer starts with 1000.00. */
  readonly buyer: string;
  readonly seller: string;
  /** Payments to and from the contract on the ledger. */
  readonly moves: readonly string[];
  /** All events about the order since its creation. */
  readonly events: readonly string[];
  /** Whether the first milestone is released before the saga begins. */
  readonly isPartPaid?: true;
};

const RESERVED = ['order.created', 'balance.reserved', 'order.funds_reserved'];
const CREATED = [...RESERVED, 'order.escrow_creating', 'escrow.created', 'order.escrow_funding'];
const FUNDED = [
  ...CREATED,
  'escrow.funding_started',
  'balance.released',
  'escrow.funded',
  'order.escrow_funded',
  'order.in_progress',
];
const COMPLETED = 'escrow.milestone_completed';
const RELEASE = ['order.release_requested', 'escrow.released', 'balance.credited', 'order.released', 'order.closed'];
const REFUND = ['order.refund_requested', 'escrow.refunded', 'balance.credited', 'order.refunded', 'order.closed'];
const SPLIT = [
  'dispute.opened',
  'order.disputed',
  'dispute.under_review',
  'escrow.released',
  'balance.credited',
  'order.released',
  'balance.credited',
  'order.refunded',
  'order.closed',
  'dispute.resolved',
];
const PARTS = ['30.00', '70.00'];
const FUNDING = 'buyer > contract 100.0000000';
/** The fees that the contract pays besides the shares, for the whole order or per milestone. */
const FEES = ['contract > platform 5.0000000', 'contract > protocol 0.3000000'];
const FEES_OF_PARTS = [
  'contract > platform 1.5000000',
  'contract > protocol 0.0900000',
  'contract > platform 3.5000000',
  'contract > protocol 0.2100000',
];

type Settling = Omit<Saga, 'parts' | 'moves' | 'events'>;

const release: Settling = {
  from: 'funded',
  before: ['IN_PROGRESS', 'FUNDED'],
  after: ['CLOSED', 'RELEASED'],
  request: ({ orderId }: Waiting) => `POST /orders/${orderId}/resolution/release`,
  body: { reason: 'All fine' },
  buyer: '900.00 + 0.00',
  seller: '95.00 + 0.00',
};

const refund: Settling = {
  from: 'funded',
  before: ['IN_PROGRESS', 'FUNDED'],
  after: ['CLOSED', 'REFUNDED'],
  request: ({ orderId }: Waiting) => `POST /orders/${orderId}/resolution/refund`,
  body: { reason: 'Never came' },
  buyer: '1000.00 + 0.00',
  seller: '0.00 + 0.00',
};

const split: Settling = {
  from: 'disputed',
  before: ['DISPUTED', 'DISPUTED'],
  after: ['CLOSED', 'RELEASED'],
  request: ({ disputeId }: Waiting) => `POST /disputes/${disputeId}/resolve`,
  body: { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00', note: 'Seen both sides.' },
  buyer: '940.00 + 0.00',
  seller: '57.00 + 0.00',
};

export type SagaName =
  | 'create'
  | 'fund'
  | 'release'
  | 'release of two milestones'
  | 'refund'
  | 'refund of two milestones'
  | 'split'
  | 'split of two milestones'
  | 'release of one milestone'
  | 'refund of one milestone'
  | 'release of the last milestone';

export const SAGAS: Readonly<Record<SagaName, Saga>> = {
  create: {
    from: 'reserved',
    parts: [],
    before: ['FUNDS_RESERVED', null],
    after: ['ESCROW_FUNDING', 'CREATED'],
    request: ({ orderId }) => `POST /orders/${orderId}/escrow`,
    buyer: '900.00 + 100.00',
    seller: '0.00 + 0.00',
    moves: [],
    events: CREATED,
  },
  fund: {
    from: 'created',
    parts: [],
    before: ['ESCROW_FUNDING', 'CREATED'],
    after: ['IN_PROGRESS', 'FUNDED'],
    request: ({ orderId }) => `POST /orders/${orderId}/escrow/fund`,
    buyer: '900.00 + 0.00',
    seller: '0.00 + 0.00',
    moves: [FUNDING],
    events: FUNDED,
  },
  release: {
    ...release,
    parts: [],
    events: [...FUNDED, ...RELEASE],
    moves: [FUNDING, ...FEES, 'contract > seller 94.7000000'],
  },
  'release of two milestones': {
    ...release,
    parts: PARTS,
    events: [...FUNDED, COMPLETED, COMPLETED, ...RELEASE],
    moves: [FUNDING, ...FEES_OF_PARTS, 'contract > seller 28.4100000', 'contract > seller 66.2900000'],
  },
  refund: {
    ...refund,
    parts: [],
    events: [...FUNDED, ...REFUND],
    moves: [FUNDING, ...FEES, 'contract > buyer 94.7000000'],
  },
  'refund of two milestones': {
    ...refund,
    parts: PARTS,
    events: [...FUNDED, ...REFUND],
    moves: [FUNDING, ...FEES_OF_PARTS, 'contract > buyer 28.4100000', 'contract > buyer 66.2900000'],
  },
  split: {
    ...split,
    parts: [],
    events: [...FUNDED, ...SPLIT],
    moves: [FUNDING, ...FEES, 'contract > seller 56.8200000', 'contract > buyer 37.8800000'],
  },
  // The seller's 60.00 are the first part and 30.00 of the second.
  'split of two milestones': {
    ...split,
    parts: PARTS,
    events: [...FUNDED, ...SPLIT],
    moves: [
      FUNDING,
      ...FEES_OF_PARTS,
      'contract > seller 28.4100000',
      'contract > seller 28.4100000',
      'contract > buyer 37.8800000',
    ],
  },
  'release of one milestone': {
    ...release,
    parts: PARTS,
    request: ({ orderId }) => `POST /orders/${orderId}/milestones/m1/release`,
    after: ['IN_PROGRESS', 'FUNDED'],
    seller: '66.50 + 0.00',
    events: [...FUNDED, COMPLETED, COMPLETED, 'balance.credited', 'order.milestone_released'],
    moves: [FUNDING, ...FEES_OF_PARTS.slice(2), 'contract > seller 66.2900000'],
  },
  'refund of one milestone': {
    ...refund,
    parts: PARTS,
    request: ({ orderId }) => `POST /orders/${orderId}/milestones/m1/refund`,
    after: ['IN_PROGRESS', 'FUNDED'],
    buyer: '970.00 + 0.00',
    events: [...FUNDED, 'balance.credited', 'order.milestone_refunded'],
    moves: [FUNDING, ...FEES_OF_PARTS.slice(2), 'contract > buyer 66.2900000'],
  },
  'release of the last milestone': {
    ...release,
    parts: PARTS,
    isPartPaid: true,
    request: ({ orderId }) => `POST /orders/${orderId}/milestones/m1/release`,
    events: [
      ...[...FUNDED, COMPLETED, COMPLETED, 'balance.credited', 'order.milestone_released'],
      ...['balance.credited', 'order.milestone_released', 'escrow.released', 'order.released', 'order.closed'],
    ],
    moves: [FUNDING, ...FEES_OF_PARTS, 'contract > seller 28.4100000', 'contract > seller 66.2900000'],
  },
};

const PHASES: readonly Phase[] = ['reserved', 'created', 'funded', 'disputed'];

export const makeWaiting = async (
  { expect }: Environment,
  { place, saga }: { place: Place; saga: Saga },
): Promise<Waiting> => {
  const { key, buyer, seller } = place;
  const milestones = saga.parts.map((amount, index) => ({ ref: `m${index}`, title: `Part ${index}`, amount }));
  const parts = milestones.length > 0 ? { milestones } : {};
  const body = { buyerId: buyer, sellerId: seller, amount: '100.00', title: 'A table', ...parts };
  const { id: orderId } = await expect('POST /orders', { key, body });
  const has = (phase: Phase): boolean => PHASES.indexOf(saga.from) >= PHASES.indexOf(phase);
  const order = `/orders/${orderId}`;

  await expect(`POST ${order}/reserve`, { key });
  if (has('created')) await expect(`POST ${order}/escrow`, { key });
  if (has('funded')) await expect(`POST ${order}/escrow/fund`, { key });
  if (saga.from === 'funded' && saga.request({ ...place, saga, orderId, disputeId: null }).endsWith('release')) {
    for (const { ref } of milestones) await expect(`POST ${order}/milestones/${ref}/complete`, { key });
  }
  if (saga.isPartPaid) await expect(`POST ${order}/milestones/${FIRST}/release`, { key });
  if (!has('disputed')) return { ...place, saga, orderId, disputeId: null };
  const dispute = { orderId, openedBy: 'BUYER', reason: 'NOT_DELIVERED' };
  const { id: disputeId } = await expect(`POST ${order}/resolution/dispute`, { key, body: dispute });
  await expect(`POST /disputes/${disputeId}/assign`, { key, body: { assignedTo: 'agent-7' } });
  return { ...place, saga, orderId, disputeId };
};
