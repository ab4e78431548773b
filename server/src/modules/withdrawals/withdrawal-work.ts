// How commands move a withdrawal on: with the money, the event and the entry of its new state, and in no other way.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import type { WithdrawalStatus } from '@holdfast/contract/states.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatAmount, formatExact, plus } from '../../books/money.ts';
import type { UnitOfWork } from '../../commit/command.ts';
import { balanceOf } from '../../commit/money.ts';
import { restOf, type Withdrawal } from './withdrawal.ts';
import { giveRestBack, payThroughProvider } from './withdrawal-money.ts';

type MovedStatus = Exclude<WithdrawalStatus, 'WITHDRAWAL_CREATED'>;

/** Where it goes, and what is told with it. */
export type Step = {
  readonly status: MovedStatus;
  readonly payoutId?: string | null;
  readonly transactionId?: string;
  readonly reason?: string | null;
  readonly code?: string | null;
  readonly actionUrl?: string | null;
  readonly canceledBy?: string;
};

const NO_REASON = 'No reason was given.';
const NO_ACTION = 'See the payment account: it has something to do before it is paid.';

const payoutIdOf = ({ providerPayoutId }: Withdrawal) => (providerPayoutId === null ? {} : { providerPayoutId });

const toldOf = ({ id, userId, amount }: Withdrawal) => ({ withdrawalId: id, userId, amount: formatAmount(amount) });

type Telling = (work: UnitOfWork, withdrawal: Withdrawal) => void;

const TELL: Readonly<Record<MovedStatus, Telling>> = {
  WITHDRAWAL_COMMITTED(work, withdrawal) {
    const { id, userId, currency } = withdrawal;
    const balance = balanceOf(work, { userId, currency });
    const committedBalance = formatAmount(balance.reserved);
    const told = {
      ...toldOf(withdrawal),
      currency,
      committedBalance,
      availableBalance: formatAmount(balance.available),
    };
    work.emit('withdrawal.committed', id, told, { userId });
  },
  WITHDRAWAL_PENDING(work, withdrawal) {
    const { id, userId, providerPayoutId } = withdrawal;
    // The provider finds it by our id too.
    const told = { ...toldOf(withdrawal), providerPayoutId: providerPayoutId ?? id };
    work.emit('withdrawal.pending', id, told, { userId });
  },
  WITHDRAWAL_PENDING_USER_ACTION(work, { id, userId, actionRequired, actionUrl }) {
    const told = { withdrawalId: id, userId, actionRequired: actionRequired ?? NO_ACTION };
    const where = actionUrl === null ? {} : { actionUrl };
    work.emit('withdrawal.pending_user_action', id, { ...told, ...where }, { userId });
  },
  WITHDRAWAL_COMPLETED(work, withdrawal) {
    const { id, userId, currency, completedAt } = withdrawal;
    const told = { ...toldOf(withdrawal), currency, completedAt: completedAt ?? work.now };
    work.emit('withdrawal.completed', id, { ...told, ...payoutIdOf(withdrawal) }, { userId });
  },
  WITHDRAWAL_FAILED(work, withdrawal) {
    const { id, userId, failureReason, errorCode } = withdrawal;
    giveRestBack(work, withdrawal);
    const told = { ...toldOf(withdrawal), reason: failureReason ?? NO_REASON };
    const code = errorCode === null ? {} : { errorCode };
    work.emit('withdrawal.failed', id, { ...told, ...code, ...payoutIdOf(withdrawal) }, { userId });
  },
  WITHDRAWAL_CANCELED(work, withdrawal) {
    const { id, userId, failureReason, canceledBy } = withdrawal;
    const newAvailableBalance = giveRestBack(work, withdrawal);
    const told = { ...toldOf(withdrawal), canceledBy: canceledBy ?? 'system', refundedToBalance: true };
    const why = failureReason === null ? {} : { reason: failureReason };
    work.emit('withdrawal.canceled', id, { ...told, ...why, newAvailableBalance }, { userId });
  },
};

const ACTIONS: Readonly<Record<MovedStatus, AuditAction>> = {
  WITHDRAWAL_COMMITTED: 'WITHDRAWAL_COMMITTED',
  WITHDRAWAL_PENDING: 'WITHDRAWAL_PENDING',
  WITHDRAWAL_PENDING_USER_ACTION: 'WITHDRAWAL_PENDING_USER_ACTION',
  WITHDRAWAL_COMPLETED: 'WITHDRAWAL_COMPLETED',
  WITHDRAWAL_FAILED: 'WITHDRAWAL_FAILED',
  WITHDRAWAL_CANCELED: 'WITHDRAWAL_CANCELED',
};

const isCalledOffBy = ({ status }: Step): boolean => status === 'WITHDRAWAL_FAILED' || status === 'WITHDRAWAL_CANCELED';

/** What its rows say afterwards. */
const changedBy = (work: UnitOfWork, withdrawal: Withdrawal, step: Step): Withdrawal => {
  const { status, reason = null, code = null } = step;
  const waits = status === 'WITHDRAWAL_PENDING_USER_ACTION';
  const isPaid = status === 'WITHDRAWAL_COMPLETED';
  return {
    ...withdrawal,
    status,
    paid: isPaid ? withdrawal.amount : withdrawal.paid,
    providerPayoutId: withdrawal.providerPayoutId ?? step.payoutId ?? null,
    transactionId: step.transactionId ?? withdrawal.transactionId,
    actionRequired: waits ? (reason ?? NO_ACTION) : null,
    actionUrl: waits ? (step.actionUrl ?? null) : null,
    failureReason: isCalledOffBy(step) ? reason : null,
    errorCode: status === 'WITHDRAWAL_FAILED' ? code : null,
    canceledBy: step.canceledBy ?? null,
    committedAt: withdrawal.committedAt ?? (isCalledOffBy(step) ? null : work.now),
    completedAt: isPaid ? work.now : null,
    updatedAt: work.now,
  };
};

/** Only after the machine allowed it. What the ledger paid is booked by whoever saw it there. */
export const moveWithdrawal = (work: UnitOfWork, withdrawal: Withdrawal, step: Step): Withdrawal => {
  const moved = changedBy(work, withdrawal, step);
  const { status } = step;
  if (status === 'WITHDRAWAL_COMPLETED' && withdrawal.address === null) payThroughProvider(work, withdrawal);
  work.put('withdrawals', moved);
  TELL[status](work, moved);
  work.audit({
    action: ACTIONS[status],
    resourceType: 'Withdrawal',
    resourceId: withdrawal.id,
    userId: withdrawal.userId,
    before: { status: withdrawal.status },
    after: {
      status,
      amount: formatAmount(withdrawal.amount),
      currency: withdrawal.currency,
      ...payoutIdOf(moved),
      ...(moved.transactionId === null ? {} : { transactionId: moved.transactionId }),
      ...(moved.failureReason === null ? {} : { reason: moved.failureReason }),
      ...(isCalledOffBy(step) ? { returned: formatExact(restOf(moved)) } : {}),
    },
    result: status === 'WITHDRAWAL_FAILED' ? 'FAILURE' : 'SUCCESS',
  });
  return moved;
};

/** A part of it is paid, the rest is still to come. */
export const notePart = (work: UnitOfWork, withdrawal: Withdrawal, part: Withdrawal['paid']): Withdrawal => {
  const noted = { ...withdrawal, paid: plus(withdrawal.paid, part), transactionId: null, updatedAt: work.now };
  work.put('withdrawals', noted);
  work.audit({
    action: 'WITHDRAWAL_PART_PAID',
    resourceType: 'Withdrawal',
    resourceId: withdrawal.id,
    userId: withdrawal.userId,
    before: { paid: formatExact(withdrawal.paid) },
    after: { paid: formatExact(noted.paid), currency: withdrawal.currency },
  });
  return noted;
};

/** Nobody may begin to take money out for a suspended user. */
export const refuseSuspended = (work: UnitOfWork, userId: string): void => {
  const { status } = work.get('users', userId);
  if (status !== 'SUSPENDED') return;
  throw new DomainError('INVALID_STATE', {
    message: 'The user is suspended. Reactivate the user, then take the money out.',
    details: { currentState: status, allowedActions: ['reactivate'], userId },
  });
};
