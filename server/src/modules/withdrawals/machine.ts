// The life of a withdrawal, with the money on each edge. The amount is set aside when it is created; it leaves the reserved
// balance only for what was certainly paid, and goes back only when it certainly will not be. What is told late, or in another
// order, is no row here and changes nothing.

import type { WithdrawalStatus } from '@holdfast/contract/states.ts';
import type { Machine, MachineRow } from '../../base/machine.ts';

/** What the payment provider can tell of one. */
export type PayoutTrigger =
  | 'payout.committed'
  | 'payout.pending'
  | 'payout.pending_user_action'
  | 'payout.completed'
  | 'payout.failed'
  | 'payout.canceled';

export type WithdrawalTrigger = PayoutTrigger | 'commit' | 'time.over' | 'ledger.paid' | 'ledger.refused';

type Row = MachineRow<WithdrawalStatus, WithdrawalTrigger>;

/** From whichever state the provider still has it in. */
const endsFrom = (from: WithdrawalStatus): Row[] => [
  {
    from,
    on: 'payout.completed',
    to: 'WITHDRAWAL_COMPLETED',
    needs: ["the provider's amount is the withdrawal's"],
    moves: ['float_loan', 'payout'],
    emits: ['withdrawal.completed'],
  },
  { from, on: 'payout.failed', to: 'WITHDRAWAL_FAILED', moves: ['withdrawal_return'], emits: ['withdrawal.failed'] },
  {
    from,
    on: 'payout.canceled',
    to: 'WITHDRAWAL_CANCELED',
    moves: ['withdrawal_return'],
    emits: ['withdrawal.canceled'],
  },
];

const pendingFrom = (from: WithdrawalStatus): Row => ({
  ...{ from, on: 'payout.pending', to: 'WITHDRAWAL_PENDING', emits: ['withdrawal.pending'] },
});

const actionFrom = (from: WithdrawalStatus): Row => ({
  ...{ from, on: 'payout.pending_user_action', to: 'WITHDRAWAL_PENDING_USER_ACTION' },
  emits: ['withdrawal.pending_user_action'],
});

export const WITHDRAWAL_MACHINE: Machine<WithdrawalStatus, WithdrawalTrigger> = {
  subject: 'the withdrawal',
  rows: [
    {
      ...{ from: 'WITHDRAWAL_CREATED', on: 'commit', to: 'WITHDRAWAL_COMMITTED' },
      needs: ['the user is not suspended'],
      emits: ['withdrawal.committed'],
    },
    {
      ...{ from: 'WITHDRAWAL_CREATED', on: 'time.over', to: 'WITHDRAWAL_CANCELED' },
      ...{ moves: ['withdrawal_return'], emits: ['withdrawal.canceled'] },
    },
    // The provider hears of one only after it is committed. Should it know better all the same, it is believed.
    {
      ...{ from: 'WITHDRAWAL_CREATED', on: 'payout.committed', to: 'WITHDRAWAL_COMMITTED' },
      emits: ['withdrawal.committed'],
    },
    pendingFrom('WITHDRAWAL_CREATED'),
    actionFrom('WITHDRAWAL_CREATED'),
    ...endsFrom('WITHDRAWAL_CREATED'),
    pendingFrom('WITHDRAWAL_COMMITTED'),
    actionFrom('WITHDRAWAL_COMMITTED'),
    ...endsFrom('WITHDRAWAL_COMMITTED'),
    {
      ...{ from: 'WITHDRAWAL_COMMITTED', on: 'ledger.paid', to: 'WITHDRAWAL_COMPLETED' },
      needs: ['all of it is paid'],
      ...{ moves: ['withdrawal_paid', 'withdrawal_excess'], emits: ['withdrawal.completed'] },
    },
    {
      ...{ from: 'WITHDRAWAL_COMMITTED', on: 'ledger.refused', to: 'WITHDRAWAL_FAILED' },
      ...{ moves: ['withdrawal_return'], emits: ['withdrawal.failed'] },
    },
    actionFrom('WITHDRAWAL_PENDING'),
    ...endsFrom('WITHDRAWAL_PENDING'),
    pendingFrom('WITHDRAWAL_PENDING_USER_ACTION'),
    ...endsFrom('WITHDRAWAL_PENDING_USER_ACTION'),
  ],
};

/** Null: that the provider has it and nothing is decided yet moves nothing. */
export const PAYOUT_TRIGGERS: Readonly<Record<WithdrawalStatus, PayoutTrigger | null>> = {
  WITHDRAWAL_CREATED: null,
  WITHDRAWAL_COMMITTED: 'payout.committed',
  WITHDRAWAL_PENDING: 'payout.pending',
  WITHDRAWAL_PENDING_USER_ACTION: 'payout.pending_user_action',
  WITHDRAWAL_COMPLETED: 'payout.completed',
  WITHDRAWAL_FAILED: 'payout.failed',
  WITHDRAWAL_CANCELED: 'payout.canceled',
};
