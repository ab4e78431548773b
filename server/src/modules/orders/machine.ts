// The states of an order and of a milestone. Each transition is a row, with its guards, the money that moves and the events that are
// emitted.

import type { MilestoneStatus, OrderStatus } from '@holdfast/contract/states.ts';
import type { Machine, MachineRow } from '../../base/machine.ts';

export type OrderTrigger =
  | 'reserve'
  | 'cancel'
  | 'create_escrow'
  | 'escrow.created'
  | 'escrow.failed'
  | 'fund_escrow'
  | 'funding.confirmed'
  | 'funding.failed'
  | 'complete_milestone'
  | 'release'
  | 'release.confirmed'
  | 'release.failed'
  | 'refund'
  | 'refund.confirmed'
  | 'refund.failed'
  | 'dispute'
  | 'dispute.released'
  | 'dispute.refunded'
  | 'dispute.split'
  | 'settlement.closed';

/** Checks of a requested transition after the check of the state; guards.ts has the function of each name. */
export type OrderGuard =
  | 'contract_empty'
  | 'no_escrow'
  | 'escrow_created'
  | 'amount_reserved'
  | 'no_open_dispute'
  | 'milestones_completed'
  | 'escrow_funded';

type OrderRow = MachineRow<OrderStatus, OrderTrigger> & { readonly guards?: readonly OrderGuard[] };

export const ORDER_MACHINE = {
  subject: 'the order',
  status: 400,
  rows: [
    {
      from: 'ORDER_CREATED',
      on: 'reserve',
      to: 'FUNDS_RESERVED',
      moves: ['reserve'],
      emits: ['order.funds_reserved'],
    },
    {
      from: 'ORDER_CREATED',
      on: 'cancel',
      to: 'CLOSED',
      guards: ['contract_empty'],
      moves: ['cancel_reservation'],
      emits: ['order.canceled', 'order.closed'],
    },
    {
      from: 'FUNDS_RESERVED',
      on: 'cancel',
      to: 'CLOSED',
      guards: ['contract_empty'],
      moves: ['cancel_reservation'],
      emits: ['order.canceled', 'order.closed'],
    },
    {
      from: 'FUNDS_RESERVED',
      on: 'create_escrow',
      to: 'ESCROW_CREATING',
      guards: ['no_escrow'],
      emits: ['order.escrow_creating'],
    },
    { from: 'ESCROW_CREATING', on: 'escrow.created', to: 'ESCROW_FUNDING', emits: ['order.escrow_funding'] },
    { from: 'ESCROW_CREATING', on: 'escrow.failed', to: 'FUNDS_RESERVED' },
    {
      from: 'ESCROW_FUNDING',
      on: 'fund_escrow',
      to: 'ESCROW_FUNDING',
      guards: ['escrow_created', 'amount_reserved'],
    },
    {
      from: 'ESCROW_FUNDING',
      on: 'funding.confirmed',
      to: 'IN_PROGRESS',
      moves: ['fund_escrow'],
      emits: ['order.escrow_funded', 'order.in_progress'],
    },
    { from: 'ESCROW_FUNDING', on: 'funding.failed', to: 'FUNDS_RESERVED' },
    { from: 'IN_PROGRESS', on: 'complete_milestone', to: 'IN_PROGRESS' },
    {
      from: 'IN_PROGRESS',
      on: 'release',
      to: 'RELEASE_REQUESTED',
      guards: ['no_open_dispute', 'milestones_completed', 'escrow_funded'],
      emits: ['order.release_requested'],
    },
    {
      from: 'RELEASE_REQUESTED',
      on: 'release.confirmed',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee'],
      emits: ['order.released'],
    },
    { from: 'RELEASE_REQUESTED', on: 'release.failed', to: 'IN_PROGRESS' },
    {
      from: 'IN_PROGRESS',
      on: 'refund',
      to: 'REFUND_REQUESTED',
      guards: ['no_open_dispute', 'escrow_funded'],
      emits: ['order.refund_requested'],
    },
    {
      from: 'REFUND_REQUESTED',
      on: 'refund.confirmed',
      to: 'REFUNDED',
      moves: ['refund_buyer'],
      emits: ['order.refunded'],
    },
    { from: 'REFUND_REQUESTED', on: 'refund.failed', to: 'IN_PROGRESS' },
    {
      from: 'IN_PROGRESS',
      on: 'dispute',
      to: 'DISPUTED',
      guards: ['no_open_dispute'],
      emits: ['order.disputed'],
    },
    {
      from: 'DISPUTED',
      on: 'dispute.released',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee'],
      emits: ['order.released'],
    },
    {
      from: 'DISPUTED',
      on: 'dispute.refunded',
      to: 'REFUNDED',
      moves: ['refund_buyer'],
      emits: ['order.refunded'],
    },
    {
      from: 'DISPUTED',
      on: 'dispute.split',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee', 'refund_buyer'],
      emits: ['order.released', 'order.refunded'],
    },
    { from: 'RELEASED', on: 'settlement.closed', to: 'CLOSED', emits: ['order.closed'] },
    { from: 'REFUNDED', on: 'settlement.closed', to: 'CLOSED', emits: ['order.closed'] },
  ],
} as const satisfies Machine<OrderStatus, OrderTrigger, OrderRow>;

export const MILESTONE_MACHINE = {
  subject: 'the milestone',
  status: 400,
  rows: [{ from: 'OPEN', on: 'complete', to: 'COMPLETED', emits: ['escrow.milestone_completed'] }],
} as const satisfies Machine<MilestoneStatus, 'complete'>;
