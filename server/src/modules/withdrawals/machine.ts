// The states of a withdrawal. The amount is reserved when it is created. It leaves the reserved balance only for what was certainly
// paid, and goes back only when it certainly will not be paid. A report that is late or out of order has no row here and changes
// nothing.

import type { WithdrawalStatus } from '@holdfast/contract/states.ts';
import type { ErrorDetails } from '../../base/domain-error.ts';
import { type Machine, type MachineRow, transition } from '../../base/machine.ts';

/** Reports of the payment provider. */
type PayoutTrigger =
  | 'payout.committed'
  | 'payout.pending'
  | 'payout.pending_user_action'
  | 'payout.completed'
  | 'payout.failed'
  | 'payout.canceled';

type WithdrawalTrigger = PayoutTrigger | 'commit' | 'time.over' | 'ledger.paid' | 'ledger.refused';

export type WithdrawalMove =
  | 'float_loan'
  | 'payout'
  | 'payout_excess'
  | 'payout_shortfall'
  | 'withdrawal_return'
  | 'withdrawal_paid'
  | 'withdrawal_excess';

export type WithdrawalEvent =
  | 'withdrawal.committed'
  | 'withdrawal.pending'
  | 'withdrawal.pending_user_action'
  | 'withdrawal.completed'
  | 'withdrawal.failed'
  | 'withdrawal.canceled';

/** The states that a transition can lead to. */
export type ReachedStatus = Exclude<WithdrawalStatus, 'WITHDRAWAL_CREATED'>;

export type WithdrawalRow = MachineRow<WithdrawalStatus, WithdrawalTrigger> & {
  readonly to: ReachedStatus;
  readonly moves?: readonly WithdrawalMove[];
  readonly emits: readonly WithdrawalEvent[];
};

/** From every state in which the provider may still pay. */
const endsFrom = (from: WithdrawalStatus): WithdrawalRow[] => [
  {
    from,
    on: 'payout.completed',
    to: 'WITHDRAWAL_COMPLETED',
    moves: ['float_loan', 'payout', 'payout_excess', 'payout_shortfall'],
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

const pendingFrom = (from: WithdrawalStatus): WithdrawalRow => ({
  from,
  on: 'payout.pending',
  to: 'WITHDRAWAL_PENDING',
  emits: ['withdrawal.pending'],
});

const actionFrom = (from: WithdrawalStatus): WithdrawalRow => ({
  from,
  on: 'payout.pending_user_action',
  to: 'WITHDRAWAL_PENDING_USER_ACTION',
  emits: ['withdrawal.pending_user_action'],
});

export const WITHDRAWAL_MACHINE: Machine<WithdrawalStatus, WithdrawalTrigger, WithdrawalRow> = {
  subject: 'the withdrawal',
  rows: [
    {
      from: 'WITHDRAWAL_CREATED',
      on: 'commit',
      to: 'WITHDRAWAL_COMMITTED',
      emits: ['withdrawal.committed'],
    },
    {
      from: 'WITHDRAWAL_CREATED',
      on: 'time.over',
      to: 'WITHDRAWAL_CANCELED',
      moves: ['withdrawal_return'],
      emits: ['withdrawal.canceled'],
    },
    // We create a payout only after the commit. A report about an uncommitted withdrawal is applied too.
    {
      from: 'WITHDRAWAL_CREATED',
      on: 'payout.committed',
      to: 'WITHDRAWAL_COMMITTED',
      emits: ['withdrawal.committed'],
    },
    // A database that is older than the ledger does not know that the withdrawal was committed and paid.
    {
      from: 'WITHDRAWAL_CREATED',
      on: 'ledger.paid',
      to: 'WITHDRAWAL_COMPLETED',
      moves: ['withdrawal_paid', 'withdrawal_excess'],
      emits: ['withdrawal.completed'],
    },
    pendingFrom('WITHDRAWAL_CREATED'),
    actionFrom('WITHDRAWAL_CREATED'),
    ...endsFrom('WITHDRAWAL_CREATED'),
    pendingFrom('WITHDRAWAL_COMMITTED'),
    actionFrom('WITHDRAWAL_COMMITTED'),
    ...endsFrom('WITHDRAWAL_COMMITTED'),
    {
      from: 'WITHDRAWAL_COMMITTED',
      on: 'ledger.paid',
      to: 'WITHDRAWAL_COMPLETED',
      moves: ['withdrawal_paid', 'withdrawal_excess'],
      emits: ['withdrawal.completed'],
    },
    {
      from: 'WITHDRAWAL_COMMITTED',
      on: 'ledger.refused',
      to: 'WITHDRAWAL_FAILED',
      moves: ['withdrawal_return'],
      emits: ['withdrawal.failed'],
    },
    actionFrom('WITHDRAWAL_PENDING'),
    ...endsFrom('WITHDRAWAL_PENDING'),
    pendingFrom('WITHDRAWAL_PENDING_USER_ACTION'),
    ...endsFrom('WITHDRAWAL_PENDING_USER_ACTION'),
  ],
};

type Trigger = { readonly from: WithdrawalStatus; readonly on: WithdrawalTrigger };

export const findWithdrawalRow = ({ from, on }: Trigger): WithdrawalRow | undefined =>
  WITHDRAWAL_MACHINE.rows.find((row) => row.from === from && row.on === on);

/** The row of the trigger; refuses with INVALID_STATE when there is none. */
export const withdrawalRow = (trigger: Trigger & { readonly details?: ErrorDetails }): WithdrawalRow =>
  transition(WITHDRAWAL_MACHINE, trigger) as WithdrawalRow;

/** Null: a payout that exists and is undecided changes nothing. */
export const PAYOUT_TRIGGERS: Readonly<Record<WithdrawalStatus, PayoutTrigger | null>> = {
  WITHDRAWAL_CREATED: null,
  WITHDRAWAL_COMMITTED: 'payout.committed',
  WITHDRAWAL_PENDING: 'payout.pending',
  WITHDRAWAL_PENDING_USER_ACTION: 'payout.pending_user_action',
  WITHDRAWAL_COMPLETED: 'payout.completed',
  WITHDRAWAL_FAILED: 'payout.failed',
  WITHDRAWAL_CANCELED: 'payout.canceled',
};
