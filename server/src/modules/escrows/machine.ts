// The life of an escrow. Its contract on the ledger moves first; a row here is taken when that is certain.

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
  | 'dispute.split';

export const ESCROW_MACHINE: Machine<EscrowStatus, EscrowTrigger> = {
  subject: 'the escrow',
  status: 400,
  rows: [
    { from: 'CREATING', on: 'escrow.created', to: 'CREATED', emits: ['escrow.created'] },
    { from: 'CREATED', on: 'fund', to: 'FUNDING', emits: ['escrow.funding_started'] },
    { from: 'CREATED', on: 'funding.confirmed', to: 'FUNDED', moves: ['fund_escrow'], emits: ['escrow.funded'] },
    { from: 'FUNDING', on: 'funding.confirmed', to: 'FUNDED', moves: ['fund_escrow'], emits: ['escrow.funded'] },
    { from: 'FUNDING', on: 'funding.failed', to: 'CREATED' },
    {
      from: 'FUNDED',
      on: 'release.confirmed',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee'],
      emits: ['escrow.released'],
    },
    { from: 'FUNDED', on: 'refund.confirmed', to: 'REFUNDED', moves: ['refund_buyer'], emits: ['escrow.refunded'] },
    { from: 'FUNDED', on: 'dispute', to: 'DISPUTED' },
    {
      from: 'DISPUTED',
      on: 'dispute.released',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee'],
      emits: ['escrow.released'],
    },
    { from: 'DISPUTED', on: 'dispute.refunded', to: 'REFUNDED', moves: ['refund_buyer'], emits: ['escrow.refunded'] },
    {
      from: 'DISPUTED',
      on: 'dispute.split',
      to: 'RELEASED',
      moves: ['pay_seller', 'platform_fee', 'refund_buyer'],
      emits: ['escrow.released'],
    },
  ],
};
