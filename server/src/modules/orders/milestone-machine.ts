// The states of a milestone that is paid or disputed on its own. Each transition is a row, with the money that moves and the events.

import type { MilestoneStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

type MilestoneTrigger =
  | 'complete'
  | 'release.milestone'
  | 'refund.milestone'
  | 'dispute.milestone'
  | 'release.confirmed'
  | 'refund.confirmed'
  | 'dispute.released'
  | 'dispute.refunded'
  | 'dispute.split'
  | 'rest.released'
  | 'rest.refunded'
  | 'correction.reopened'
  | 'correction.unpaid';

export const MILESTONE_MACHINE = {
  subject: 'the milestone',
  status: 400,
  rows: [
    { from: 'OPEN', on: 'complete', to: 'COMPLETED', emits: ['escrow.milestone_completed'] },
    { from: 'COMPLETED', on: 'release.milestone', to: 'COMPLETED' },
    {
      from: 'COMPLETED',
      on: 'release.confirmed',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee'],
      emits: ['order.milestone_released'],
    },
    { from: 'OPEN', on: 'refund.milestone', to: 'OPEN' },
    { from: 'COMPLETED', on: 'refund.milestone', to: 'COMPLETED' },
    {
      from: 'OPEN',
      on: 'refund.confirmed',
      to: 'REFUNDED',
      moves: ['refund_buyer'],
      emits: ['order.milestone_refunded'],
    },
    {
      from: 'COMPLETED',
      on: 'refund.confirmed',
      to: 'REFUNDED',
      moves: ['refund_buyer'],
      emits: ['order.milestone_refunded'],
    },
    { from: 'OPEN', on: 'dispute.milestone', to: 'DISPUTED', emits: ['order.milestone_disputed'] },
    { from: 'COMPLETED', on: 'dispute.milestone', to: 'DISPUTED', emits: ['order.milestone_disputed'] },
    {
      from: 'DISPUTED',
      on: 'dispute.released',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee'],
      emits: ['order.milestone_released'],
    },
    {
      from: 'DISPUTED',
      on: 'dispute.refunded',
      to: 'REFUNDED',
      moves: ['refund_buyer'],
      emits: ['order.milestone_refunded'],
    },
    {
      from: 'DISPUTED',
      on: 'dispute.split',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee', 'refund_buyer'],
      emits: ['order.milestone_released', 'order.milestone_refunded'],
    },
    // The order was settled after some of its milestones were paid on their own. The order's row moves the money.
    { from: 'OPEN', on: 'rest.released', to: 'RELEASED' },
    { from: 'COMPLETED', on: 'rest.released', to: 'RELEASED' },
    { from: 'OPEN', on: 'rest.refunded', to: 'REFUNDED' },
    { from: 'COMPLETED', on: 'rest.refunded', to: 'REFUNDED' },
    // A report of the provider was false: the contract has not paid the milestone. The order's row moves the money back.
    { from: 'RELEASED', on: 'correction.reopened', to: 'OPEN' },
    { from: 'REFUNDED', on: 'correction.reopened', to: 'OPEN' },
    { from: 'RELEASED', on: 'correction.unpaid', to: 'COMPLETED' },
    { from: 'REFUNDED', on: 'correction.unpaid', to: 'COMPLETED' },
  ],
} as const satisfies Machine<MilestoneStatus, MilestoneTrigger>;
