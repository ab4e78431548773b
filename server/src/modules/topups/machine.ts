// The states of a top-up. Every trigger but `cancel` is a report of the payment provider. A report that is late or out of order
// has no row here and changes nothing.

import type { TopUpStatus } from '@holdfast/contract/states.ts';
import type { Machine, MachineRow } from '../../base/machine.ts';
import type { ReportedStatus } from './topup.ts';

type TopUpTrigger =
  | 'cancel'
  | 'payin.awaiting_user_confirmation'
  | 'payin.processing'
  | 'payin.succeeded'
  | 'payin.failed'
  | 'payin.canceled'
  /** The provider's record says that an ended top-up was paid. */
  | 'payin.late'
  /** Such a payment is credited to the user. */
  | 'payin.late_credit';

export type TopUpMove = 'topup' | 'payment_fee' | 'late_topup' | 'late_topup_credit';

export type TopUpEvent =
  | 'topup.confirmation_required'
  | 'topup.processing'
  | 'topup.succeeded'
  | 'topup.failed'
  | 'topup.canceled';

export type TopUpRow = MachineRow<TopUpStatus, TopUpTrigger> & {
  readonly to: ReportedStatus;
  readonly moves?: readonly TopUpMove[];
  readonly emits: readonly TopUpEvent[];
};

export const TOPUP_MACHINE: Machine<TopUpStatus, TopUpTrigger, TopUpRow> = {
  subject: 'the top-up',
  rows: [
    {
      from: 'TOPUP_CREATED',
      on: 'payin.awaiting_user_confirmation',
      to: 'TOPUP_AWAITING_USER_CONFIRMATION',
      emits: ['topup.confirmation_required'],
    },
    { from: 'TOPUP_CREATED', on: 'payin.processing', to: 'TOPUP_PROCESSING', emits: ['topup.processing'] },
    {
      from: 'TOPUP_CREATED',
      on: 'payin.succeeded',
      to: 'TOPUP_SUCCEEDED',
      moves: ['topup', 'payment_fee'],
      emits: ['topup.succeeded'],
    },
    { from: 'TOPUP_CREATED', on: 'payin.failed', to: 'TOPUP_FAILED', emits: ['topup.failed'] },
    { from: 'TOPUP_CREATED', on: 'payin.canceled', to: 'TOPUP_CANCELED', emits: ['topup.canceled'] },
    {
      from: 'TOPUP_AWAITING_USER_CONFIRMATION',
      on: 'cancel',
      to: 'TOPUP_CANCELED',
      emits: ['topup.canceled'],
    },
    {
      from: 'TOPUP_AWAITING_USER_CONFIRMATION',
      on: 'payin.processing',
      to: 'TOPUP_PROCESSING',
      emits: ['topup.processing'],
    },
    {
      from: 'TOPUP_AWAITING_USER_CONFIRMATION',
      on: 'payin.succeeded',
      to: 'TOPUP_SUCCEEDED',
      moves: ['topup', 'payment_fee'],
      emits: ['topup.succeeded'],
    },
    { from: 'TOPUP_AWAITING_USER_CONFIRMATION', on: 'payin.failed', to: 'TOPUP_FAILED', emits: ['topup.failed'] },
    { from: 'TOPUP_AWAITING_USER_CONFIRMATION', on: 'payin.canceled', to: 'TOPUP_CANCELED', emits: ['topup.canceled'] },
    {
      from: 'TOPUP_PROCESSING',
      on: 'payin.succeeded',
      to: 'TOPUP_SUCCEEDED',
      moves: ['topup', 'payment_fee'],
      emits: ['topup.succeeded'],
    },
    { from: 'TOPUP_PROCESSING', on: 'payin.failed', to: 'TOPUP_FAILED', emits: ['topup.failed'] },
    { from: 'TOPUP_PROCESSING', on: 'payin.canceled', to: 'TOPUP_CANCELED', emits: ['topup.canceled'] },
    { from: 'TOPUP_FAILED', on: 'payin.late', to: 'TOPUP_FAILED', moves: ['late_topup', 'payment_fee'], emits: [] },
    { from: 'TOPUP_CANCELED', on: 'payin.late', to: 'TOPUP_CANCELED', moves: ['late_topup', 'payment_fee'], emits: [] },
    {
      from: 'TOPUP_FAILED',
      on: 'payin.late_credit',
      to: 'TOPUP_SUCCEEDED',
      moves: ['late_topup_credit'],
      emits: ['topup.succeeded'],
    },
    {
      from: 'TOPUP_CANCELED',
      on: 'payin.late_credit',
      to: 'TOPUP_SUCCEEDED',
      moves: ['late_topup_credit'],
      emits: ['topup.succeeded'],
    },
  ],
};

export const TOPUP_TRIGGERS: Readonly<Record<ReportedStatus, TopUpTrigger>> = {
  TOPUP_AWAITING_USER_CONFIRMATION: 'payin.awaiting_user_confirmation',
  TOPUP_PROCESSING: 'payin.processing',
  TOPUP_SUCCEEDED: 'payin.succeeded',
  TOPUP_FAILED: 'payin.failed',
  TOPUP_CANCELED: 'payin.canceled',
};
