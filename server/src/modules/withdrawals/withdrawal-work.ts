// How commands change a withdrawal: the machine's row decides the next state, the moves that are posted and the event that is
// emitted.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import type { EventPayload } from '@holdfast/contract/events.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, formatAmount, formatExact, minus, plus } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { balanceOf } from '../../commit/money.ts';
import type { ReachedStatus, WithdrawalEvent, WithdrawalRow } from './machine.ts';
import { restOf, type Withdrawal } from './withdrawal.ts';
import { type LedgerPayment, POST } from './withdrawal-money.ts';

/** A withdrawal, the row of the machine, and the values that are stored with the new state. */
type Change = {
  readonly withdrawal: Withdrawal;
  readonly row: WithdrawalRow;
  readonly payoutId?: string | null;
  readonly transactionId?: string;
  /** The ledger payment that completed the withdrawal. */
  readonly payment?: LedgerPayment;
  /** What the payment provider has paid; left out when it is the rest of the withdrawal. */
  readonly executed?: Amount;
  readonly reason?: string | null;
  readonly code?: string | null;
  readonly actionUrl?: string | null;
  readonly canceledBy?: string;
};

const NO_REASON = 'No reason was given.';
const NO_ACTION = 'The payment account requires an action before it is paid.';

const payoutIdOf = ({ providerPayoutId }: Withdrawal) => (providerPayoutId === null ? {} : { providerPayoutId });

const shared = ({ id, userId, amount }: Withdrawal) => ({ withdrawalId: id, userId, amount: formatAmount(amount) });

const PAYLOADS: {
  readonly [E in WithdrawalEvent]: (withdrawal: Withdrawal, work: UnitOfWork) => EventPayload<E>;
} = {
  'withdrawal.committed': (withdrawal, work) => {
    const { available, reserved } = balanceOf(work, withdrawal);
    return {
      ...shared(withdrawal),
      currency: withdrawal.currency,
      committedBalance: formatAmount(reserved),
      availableBalance: formatAmount(available),
    };
  },
  // The provider also finds the payout by our id.
  'withdrawal.pending': (withdrawal) => ({
    ...shared(withdrawal),
    providerPayoutId: withdrawal.providerPayoutId ?? withdrawal.id,
  }),
  'withdrawal.pending_user_action': ({ id, userId, actionRequired, actionUrl }) => ({
    withdrawalId: id,
    userId,
    actionRequired: actionRequired ?? NO_ACTION,
    ...(actionUrl === null ? {} : { actionUrl }),
  }),
  'withdrawal.completed': (withdrawal, work) => ({
    ...shared(withdrawal),
    currency: withdrawal.currency,
    completedAt: withdrawal.completedAt ?? work.now,
    ...payoutIdOf(withdrawal),
  }),
  'withdrawal.failed': (withdrawal) => ({
    ...shared(withdrawal),
    reason: withdrawal.failureReason ?? NO_REASON,
    ...(withdrawal.errorCode === null ? {} : { errorCode: withdrawal.errorCode }),
    ...payoutIdOf(withdrawal),
  }),
  'withdrawal.canceled': (withdrawal, work) => ({
    ...shared(withdrawal),
    canceledBy: withdrawal.canceledBy ?? 'system',
    refundedToBalance: true,
    ...(withdrawal.failureReason === null ? {} : { reason: withdrawal.failureReason }),
    newAvailableBalance: formatAmount(balanceOf(work, withdrawal).available),
  }),
};

type Emitted<E> = { readonly event: E; readonly of: Withdrawal; readonly figures: Figures };

const emit = <E extends WithdrawalEvent>(work: UnitOfWork, { event, of, figures }: Emitted<E>): void =>
  work.emit({ type: event, aggregateId: of.id, userId: of.userId, payload: PAYLOADS[event](of, work), figures });

const isReturned = (status: ReachedStatus): boolean =>
  status === 'WITHDRAWAL_FAILED' || status === 'WITHDRAWAL_CANCELED';

const changed = (work: UnitOfWork, change: Change): Withdrawal => {
  const { withdrawal, reason = null, code = null } = change;
  const { to: status } = change.row;
  const isWaiting = status === 'WITHDRAWAL_PENDING_USER_ACTION';
  const isPaid = status === 'WITHDRAWAL_COMPLETED';
  return {
    ...withdrawal,
    status,
    paid: isPaid ? withdrawal.amount : withdrawal.paid,
    providerPayoutId: withdrawal.providerPayoutId ?? change.payoutId ?? null,
    transactionId: change.transactionId ?? withdrawal.transactionId,
    actionRequired: isWaiting ? (reason ?? NO_ACTION) : null,
    actionUrl: isWaiting ? (change.actionUrl ?? null) : null,
    failureReason: isReturned(status) ? reason : null,
    errorCode: status === 'WITHDRAWAL_FAILED' ? code : null,
    canceledBy: change.canceledBy ?? null,
    committedAt: withdrawal.committedAt ?? (isReturned(status) ? null : work.now),
    completedAt: isPaid ? work.now : null,
    updatedAt: work.now,
  };
};

type Figures = Readonly<Record<string, string>>;

type Moved = {
  readonly before: Withdrawal;
  readonly after: Withdrawal & { readonly status: ReachedStatus };
  readonly figures: Figures;
};

/** The figures of a payout that the provider executed over another amount. */
const executedOf = ({ amount }: Withdrawal, executed: Amount): Figures => ({
  executedAmount: formatAmount(executed),
  difference: formatAmount(minus(executed, amount)),
});

const auditMove = (work: UnitOfWork, { before, after, figures }: Moved): void => {
  const { status } = after;
  // Every reached state has an audit action of the same name.
  const action: AuditAction = status;
  work.audit({
    action,
    resourceType: 'Withdrawal',
    resourceId: after.id,
    userId: after.userId,
    before: { status: before.status },
    after: {
      status,
      amount: formatAmount(after.amount),
      currency: after.currency,
      ...payoutIdOf(after),
      ...(after.transactionId === null ? {} : { transactionId: after.transactionId }),
      ...(after.failureReason === null ? {} : { reason: after.failureReason }),
      ...figures,
      ...(isReturned(status) ? { returned: formatExact(restOf(after)) } : {}),
    },
    result: status === 'WITHDRAWAL_FAILED' ? 'FAILURE' : 'SUCCESS',
  });
};

export const moveWithdrawal = (work: UnitOfWork, change: Change): Withdrawal => {
  const { withdrawal, payment, executed = restOf(withdrawal) } = change;
  const { to, moves = [], emits } = change.row;
  const isOther = executed !== restOf(withdrawal);
  const moved = { ...changed(work, change), executed: isOther ? executed : null, status: to };
  for (const name of moves) POST[name](work, { withdrawal, payment, executed });
  work.put('withdrawals', moved);
  const figures = isOther ? executedOf(withdrawal, executed) : {};
  for (const event of emits) emit(work, { event, of: moved, figures });
  auditMove(work, { before: withdrawal, after: moved, figures });
  return moved;
};

type Part = { readonly withdrawal: Withdrawal; readonly part: Amount };

/** A part is paid, the rest is still open. */
export const recordPart = (work: UnitOfWork, { withdrawal, part }: Part): Withdrawal => {
  const recorded = { ...withdrawal, paid: plus(withdrawal.paid, part), transactionId: null, updatedAt: work.now };
  work.put('withdrawals', recorded);
  work.audit({
    action: 'WITHDRAWAL_PART_PAID',
    resourceType: 'Withdrawal',
    resourceId: withdrawal.id,
    userId: withdrawal.userId,
    before: { paid: formatExact(withdrawal.paid) },
    after: { paid: formatExact(recorded.paid), currency: withdrawal.currency },
  });
  return recorded;
};

/** No withdrawal of a suspended user may be created or committed. */
export const refuseSuspended = (work: UnitOfWork, userId: string): void => {
  const { status } = work.get('users', userId);
  if (status !== 'SUSPENDED') return;
  throw new DomainError('INVALID_STATE', {
    message: 'The user is suspended. Reactivate the user before a withdrawal.',
    details: { currentState: status, allowedActions: ['reactivate'], userId },
  });
};
