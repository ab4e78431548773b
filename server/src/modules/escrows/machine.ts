// The states of an escrow. The contract on the ledger changes first; the row is applied when that is certain. The money moves are those
// of the order's machine.

import type { EscrowStatus } from '@holdfast/contract/states.ts';
import type { Machine } from '../../base/machine.ts';

export type EscrowTrigger =
  | 'escrow.created'
  | 'fund'
  | 'funding.confirmed'
  | 'funding.failed'
  | 'release.confirmed'
  | 'refund.confirmed'
  | 'dispute'
  | 'dispute.released'
  | 'dispute.refunded'
  | 'dispute.split'
  | 'release.split'
  | 'refund.split'
  | 'milestones.released'
  | 'milestones.refunded'
  | 'milestones.split'
  | 'correction.reopened'
  | 'correction.unfunded';

export const ESCROW_MACHINE = {
  subject: 'the escrow',
  status: 400,
  rows: [
    { from: 'CREATING', on: 'escrow.created', to: 'CREATED', emits: ['escrow.created'] },
    { from: 'CREATED', on: 'fund', to: 'FUNDING', emits: ['escrow.funding_started'] },
    { from: 'CREATED', on: 'funding.confirmed', to: 'FUNDED', emits: ['escrow.funded'] },
    { from: 'FUNDING', on: 'funding.confirmed', to: 'FUNDED', emits: ['escrow.funded'] },
    { from: 'FUNDING', on: 'funding.failed', to: 'CREATED' },
    {
      from: 'FUNDED',
      on: 'release.confirmed',
      to: 'RELEASED',
      emits: ['escrow.released'],
    },
    { from: 'FUNDED', on: 'refund.confirmed', to: 'REFUNDED', emits: ['escrow.refunded'] },
    { from: 'FUNDED', on: 'release.split', to: 'RELEASED', emits: ['escrow.released'] },
    { from: 'FUNDED', on: 'refund.split', to: 'RELEASED', emits: ['escrow.released'] },
    { from: 'FUNDED', on: 'milestones.released', to: 'RELEASED', emits: ['escrow.released'] },
    { from: 'FUNDED', on: 'milestones.refunded', to: 'REFUNDED', emits: ['escrow.refunded'] },
    { from: 'FUNDED', on: 'milestones.split', to: 'RELEASED', emits: ['escrow.released'] },
    { from: 'FUNDED', on: 'dispute', to: 'DISPUTED' },
    {
      from: 'DISPUTED',
      on: 'dispute.released',
      to: 'RELEASED',
      emits: ['escrow.released'],
    },
    { from: 'DISPUTED', on: 'dispute.refunded', to: 'REFUNDED', emits: ['escrow.refunded'] },
    {
      from: 'DISPUTED',
      on: 'dispute.split',
      to: 'RELEASED',
      emits: ['escrow.released'],
    },
    { from: 'RELEASED', on: 'correction.reopened', to: 'FUNDED' },
    { from: 'REFUNDED', on: 'correction.reopened', to: 'FUNDED' },
    { from: 'FUNDED', on: 'correction.unfunded', to: 'CREATED' },
  ],
} as const satisfies Machine<EscrowStatus, EscrowTrigger>;
