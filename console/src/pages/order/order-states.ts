// The states of an order as a diagram, and the states that one order has passed, from its timeline.

import type { Order, OrderStatus, TimelineEntry } from '@holdfast/sdk';
import type { DiagramState } from '../../parts/charts/state-diagram.tsx';
import { statusWords } from '../../parts/status.tsx';

const at = (id: OrderStatus, column: number, row: number): DiagramState => ({
  id,
  words: statusWords(id),
  column,
  row,
});

const STATES: readonly DiagramState[] = [
  at('ORDER_CREATED', 0, 0),
  at('FUNDS_RESERVED', 1, 0),
  at('ESCROW_CREATING', 2, 0),
  at('ESCROW_FUNDING', 3, 0),
  at('IN_PROGRESS', 4, 0),
  at('RELEASE_REQUESTED', 3, 1),
  at('RELEASED', 2, 1),
  at('DISPUTED', 4, 2),
  at('CLOSED', 1, 2),
  at('REFUND_REQUESTED', 3, 3),
  at('REFUNDED', 2, 3),
];

/** A split order passes RELEASED, but only a part went to the seller. */
const SPLIT_STATES = STATES.map((state) =>
  state.id === 'RELEASED' ? { ...state, words: statusWords('SPLIT') } : state,
);

export const statesOf = ({ finalStatus }: Pick<Order, 'finalStatus'>): readonly DiagramState[] =>
  finalStatus === 'SPLIT' ? SPLIT_STATES : STATES;

type Move = readonly [OrderStatus, OrderStatus];

/** The forward transitions. A transition back after a failure is drawn only if it happened. */
const FORWARD: readonly Move[] = [
  ['ORDER_CREATED', 'FUNDS_RESERVED'],
  ['ORDER_CREATED', 'CLOSED'],
  ['FUNDS_RESERVED', 'ESCROW_CREATING'],
  ['FUNDS_RESERVED', 'CLOSED'],
  ['ESCROW_CREATING', 'ESCROW_FUNDING'],
  ['ESCROW_FUNDING', 'IN_PROGRESS'],
  ['IN_PROGRESS', 'RELEASE_REQUESTED'],
  ['IN_PROGRESS', 'REFUND_REQUESTED'],
  ['IN_PROGRESS', 'DISPUTED'],
  ['RELEASE_REQUESTED', 'RELEASED'],
  ['REFUND_REQUESTED', 'REFUNDED'],
  ['DISPUTED', 'RELEASED'],
  ['DISPUTED', 'REFUNDED'],
  ['RELEASED', 'CLOSED'],
  ['REFUNDED', 'CLOSED'],
];

/** By event type. Failures have no event, so they are found by audit action. */
const ENTERED: Readonly<Record<string, OrderStatus>> = {
  'order.created': 'ORDER_CREATED',
  'order.funds_reserved': 'FUNDS_RESERVED',
  'order.escrow_creating': 'ESCROW_CREATING',
  'order.escrow_funding': 'ESCROW_FUNDING',
  'order.in_progress': 'IN_PROGRESS',
  'order.release_requested': 'RELEASE_REQUESTED',
  'order.released': 'RELEASED',
  'order.refund_requested': 'REFUND_REQUESTED',
  'order.refunded': 'REFUNDED',
  'order.disputed': 'DISPUTED',
  'order.closed': 'CLOSED',
  ESCROW_CREATE_FAILED: 'FUNDS_RESERVED',
  ESCROW_FUNDING_FAILED: 'FUNDS_RESERVED',
  RELEASE_FAILED: 'IN_PROGRESS',
  REFUND_FAILED: 'IN_PROGRESS',
};

export type Step = { readonly status: OrderStatus; readonly at: string };

export const stepsFrom = (entries: readonly TimelineEntry[]): Step[] => {
  const steps: Step[] = [];
  for (const entry of entries) {
    const status = entry.kind === 'event' || entry.kind === 'audit' ? ENTERED[entry.title] : undefined;
    const before = steps.at(-1)?.status;
    // A split pays both parties at once. The order itself is only RELEASED.
    if (!status || status === before || (before === 'RELEASED' && status === 'REFUNDED')) continue;
    steps.push({ status, at: entry.at });
  }
  return steps;
};

/** The forward transitions, and all others that happened. */
export const movesOf = (history: readonly OrderStatus[]): readonly Move[] => {
  const taken = history.slice(1).map((to, place): Move => [history[place]!, to]);
  const isNew = ([from, to]: Move, place: number, all: readonly Move[]): boolean =>
    all.findIndex((other) => other[0] === from && other[1] === to) === place;
  return [...FORWARD, ...taken].filter(isNew);
};

/** The order's own status is the last state: its events may arrive later. */
export const statusHistory = (steps: readonly Step[], order: Pick<Order, 'status'>): OrderStatus[] => {
  const history = steps.map(({ status }) => status);
  return history.at(-1) === order.status ? history : [...history, order.status];
};
