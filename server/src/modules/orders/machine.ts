// The states of an order. Each transition is a row, with its guards, the money that moves and the events that are emitted.

import type { OrderStatus } from '@holdfast/contract/states.ts';
import type { Machine, MachineRow } from '../../base/machine.ts';

export type OrderTrigger =
  | 'reserve'
  | 'cancel'
  | 'deadline.unfunded'
  | 'correction.canceled'
  | 'correction.reopened'
  | 'correction.unfunded'
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
  | 'settlement.closed'
  | 'release_milestone'
  | 'refund_milestone'
  | 'dispute_milestone'
  | 'release.split'
  | 'refund.split'
  | 'milestones.released'
  | 'milestones.refunded'
  | 'milestones.split';

/** Checks of a requested transition after the check of the state; guards.ts has the function of each name. */
export type OrderGuard =
  | 'contract_empty'
  | 'several_milestones'
  | 'no_operation'
  | 'nothing_paid_in'
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
      from: 'ORDER_CREATED',
      on: 'deadline.unfunded',
      to: 'CLOSED',
      guards: ['contract_empty'],
      moves: ['cancel_reservation'],
      emits: ['order.canceled', 'order.closed'],
    },
    {
      from: 'FUNDS_RESERVED',
      on: 'deadline.unfunded',
      to: 'CLOSED',
      guards: ['contract_empty'],
      moves: ['cancel_reservation'],
      emits: ['order.canceled', 'order.closed'],
    },
    {
      from: 'ESCROW_FUNDING',
      on: 'deadline.unfunded',
      to: 'CLOSED',
      guards: ['nothing_paid_in'],
      moves: ['cancel_reservation'],
      emits: ['order.canceled', 'order.closed'],
    },
    // An operator has checked that the contract does not hold the money of the order.
    {
      from: 'FUNDS_RESERVED',
      on: 'correction.canceled',
      to: 'CLOSED',
      moves: ['cancel_reservation'],
      emits: ['order.canceled', 'order.closed'],
    },
    {
      from: 'ESCROW_FUNDING',
      on: 'correction.canceled',
      to: 'CLOSED',
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
      guards: ['no_operation', 'no_open_dispute', 'milestones_completed', 'escrow_funded'],
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
      guards: ['no_operation', 'no_open_dispute', 'escrow_funded'],
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
      guards: ['no_operation', 'no_open_dispute', 'escrow_funded'],
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
    // A milestone is paid or disputed on its own: see the machine of milestones for what moves.
    {
      from: 'IN_PROGRESS',
      on: 'release_milestone',
      to: 'IN_PROGRESS',
      guards: ['several_milestones', 'no_operation', 'escrow_funded'],
    },
    {
      from: 'IN_PROGRESS',
      on: 'refund_milestone',
      to: 'IN_PROGRESS',
      guards: ['several_milestones', 'no_operation', 'escrow_funded'],
    },
    {
      from: 'IN_PROGRESS',
      on: 'dispute_milestone',
      to: 'IN_PROGRESS',
      guards: ['several_milestones', 'no_operation', 'escrow_funded'],
    },
    // What is left is paid to one side, after milestones that were paid to the other one.
    {
      from: 'RELEASE_REQUESTED',
      on: 'release.split',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee'],
      emits: ['order.released', 'order.refunded'],
    },
    {
      from: 'REFUND_REQUESTED',
      on: 'refund.split',
      to: 'RELEASED',
      moves: ['refund_buyer'],
      emits: ['order.released', 'order.refunded'],
    },
    // The last milestone is paid.
    { from: 'IN_PROGRESS', on: 'milestones.released', to: 'RELEASED', emits: ['order.released'] },
    { from: 'IN_PROGRESS', on: 'milestones.refunded', to: 'REFUNDED', emits: ['order.refunded'] },
    { from: 'IN_PROGRESS', on: 'milestones.split', to: 'RELEASED', emits: ['order.released', 'order.refunded'] },
    { from: 'RELEASED', on: 'settlement.closed', to: 'CLOSED', emits: ['order.closed'] },
    { from: 'REFUNDED', on: 'settlement.closed', to: 'CLOSED', emits: ['order.closed'] },
    // A report of the provider was false: the contract has paid nothing, or was never funded.
    {
      from: 'CLOSED',
      on: 'correction.reopened',
      to: 'IN_PROGRESS',
      moves: ['release_reversal', 'platform_fee_reversal', 'refund_reversal'],
      emits: ['order.in_progress'],
    },
    {
      from: 'IN_PROGRESS',
      on: 'correction.unfunded',
      to: 'ESCROW_FUNDING',
      moves: ['funding_reversal'],
      emits: ['order.escrow_funding'],
    },
  ],
} as const satisfies Machine<OrderStatus, OrderTrigger, OrderRow>;
