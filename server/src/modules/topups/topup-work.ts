// How commands change a top-up: the machine's row decides the next state, the moves that are posted and the event that is emitted.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import type { EventPayload } from '@holdfast/contract/events.ts';
import { available, floatOwed, lateTopups, networkFees, paymentFloat, reserved } from '../../books/accounts.ts';
import { formatAmount, formatExact, ZERO } from '../../books/money.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { availableChange, balanceOf } from '../../commit/money.ts';
import { coverFloat } from '../float/float.ts';
import type { TopUpEvent, TopUpMove, TopUpRow } from './machine.ts';
import type { PayinUpdate } from './payin-update.ts';
import type { ReportedStatus, TopUp } from './topup.ts';

/** Named in the event when no caller requested the cancellation. */
const PROVIDER = 'payment-provider';
const NO_REASON = 'The payment provider gave no reason.';

/** The user of the top-up and the accounts that its moves touch. */
export const topUpNeedsNext = (work: UnitOfWork, topupId: string): Needs => {
  const topup = work.find('topups', topupId);
  if (!topup) return {};
  const { userId, currency, providerAccount } = topup;
  return {
    rows: [{ table: 'users', id: userId }],
    accounts: [
      available(userId, currency),
      reserved(userId, currency),
      paymentFloat(currency, providerAccount),
      floatOwed(currency, providerAccount),
      networkFees(currency),
      lateTopups(currency),
    ],
  };
};

type Crediting = { readonly topup: TopUp; readonly move: 'topup' | 'late_topup_credit' };

const creditUser = (work: UnitOfWork, { topup, move }: Crediting): void => {
  const { id, userId, currency, amount, description, providerAccount } = topup;
  const before = balanceOf(work, { userId, currency });
  work.move(move, { userId, currency, amount, reference: id, description, providerAccount });
  const change = availableChange(before, balanceOf(work, { userId, currency }));
  const payload = { userId, amount: formatAmount(amount), currency, source: 'topup', sourceId: id, ...change };
  work.emit({ type: 'balance.credited', aggregateId: userId, userId, payload });
};

const POST: Readonly<Record<TopUpMove, (work: UnitOfWork, topup: TopUp) => void>> = {
  topup: (work, topup) => creditUser(work, { topup, move: 'topup' }),
  late_topup(work, { id, currency, lateAmount, description, providerAccount }) {
    const amount = lateAmount ?? ZERO;
    if (amount > ZERO) work.move('late_topup', { currency, amount, reference: id, description, providerAccount });
  },
  late_topup_credit: (work, topup) => creditUser(work, { topup, move: 'late_topup_credit' }),
  // The user gets the whole amount; the provider's fee is a cost of the platform.
  payment_fee(work, { id, currency, fee, providerAccount }) {
    if (fee === null || fee === ZERO) return;
    // A fee that is reported late may meet a float that is paid out.
    coverFloat(work, { currency, amount: fee, reference: id, providerAccount });
    work.move('payment_fee', { currency, amount: fee, reference: id, providerAccount });
  },
};

const payinIdOf = ({ providerPayinId }: TopUp) => (providerPayinId === null ? {} : { providerPayinId });

const PAYLOADS: { readonly [E in TopUpEvent]: (topup: TopUp, work: UnitOfWork) => EventPayload<E> } = {
  'topup.confirmation_required': ({ id, confirmationUri }) => ({ topupId: id, confirmationUri: confirmationUri ?? '' }),
  // The provider also finds the pay-in by our id.
  'topup.processing': ({ id, providerPayinId }) => ({ topupId: id, providerPayinId: providerPayinId ?? id }),
  'topup.succeeded': (topup, work) => ({
    topupId: topup.id,
    userId: topup.userId,
    amount: formatAmount(topup.amount),
    currency: topup.currency,
    newAvailableBalance: formatAmount(balanceOf(work, topup).available),
    ...payinIdOf(topup),
  }),
  'topup.failed': (topup) => ({
    topupId: topup.id,
    userId: topup.userId,
    amount: formatAmount(topup.amount),
    reason: topup.failureReason ?? NO_REASON,
    ...(topup.errorCode === null ? {} : { errorCode: topup.errorCode }),
    ...payinIdOf(topup),
  }),
  'topup.canceled': (topup) => ({
    topupId: topup.id,
    userId: topup.userId,
    amount: formatAmount(topup.amount),
    canceledBy: topup.cancelAsk?.by ?? PROVIDER,
    ...(topup.failureReason === null ? {} : { reason: topup.failureReason }),
  }),
};

const emit = <E extends TopUpEvent>(work: UnitOfWork, { event, of }: { event: E; of: TopUp }): void =>
  work.emit({ type: event, aggregateId: of.id, userId: of.userId, payload: PAYLOADS[event](of, work) });

const ACTIONS: Readonly<Record<ReportedStatus, AuditAction>> = {
  TOPUP_AWAITING_USER_CONFIRMATION: 'TOPUP_CONFIRMATION_REQUIRED',
  TOPUP_PROCESSING: 'TOPUP_PROCESSING',
  TOPUP_SUCCEEDED: 'TOPUP_SUCCEEDED',
  TOPUP_FAILED: 'TOPUP_FAILED',
  TOPUP_CANCELED: 'TOPUP_CANCELED',
};

/** Why the top-up failed or was cancelled; null in every other state. */
const reasonOf = ({ cancelAsk }: TopUp, { status, reason }: PayinUpdate): string | null => {
  if (status === 'TOPUP_FAILED') return reason ?? NO_REASON;
  return status === 'TOPUP_CANCELED' ? (cancelAsk?.reason ?? reason) : null;
};

type Change = { readonly topup: TopUp; readonly row: TopUpRow; readonly update: PayinUpdate };

const changed = ({ topup, row: { to: status }, update }: Change): TopUp => ({
  ...topup,
  status,
  providerPayinId: topup.providerPayinId ?? update.payinId,
  confirmationUri: topup.confirmationUri ?? update.confirmationUri,
  failureReason: reasonOf(topup, update),
  errorCode: status === 'TOPUP_FAILED' ? update.errorCode : null,
  fee: status === 'TOPUP_SUCCEEDED' ? update.fee : null,
});

export const moveTopUp = (work: UnitOfWork, change: Change): TopUp => {
  const { topup } = change;
  const { to, moves = [], emits } = change.row;
  const moved: TopUp = { ...changed(change), updatedAt: work.now };
  work.put('topups', moved);
  for (const name of moves) POST[name](work, moved);
  for (const event of emits) emit(work, { event, of: moved });
  work.audit({
    action: ACTIONS[to],
    resourceType: 'TopUp',
    resourceId: topup.id,
    userId: topup.userId,
    before: { status: topup.status },
    after: {
      status: to,
      amount: formatAmount(topup.amount),
      currency: topup.currency,
      providerPayinId: moved.providerPayinId,
      ...(moved.failureReason === null ? {} : { reason: moved.failureReason }),
      ...(moved.fee === null ? {} : { fee: formatExact(moved.fee) }),
    },
    result: to === 'TOPUP_FAILED' ? 'FAILURE' : 'SUCCESS',
  });
  return moved;
};

/** A webhook does not contain the provider's fee, so a poll books it later. Null: the update contains no new fee. */
export const recordFee = (work: UnitOfWork, { topup, update }: Omit<Change, 'row'>): TopUp | null => {
  const { status, fee } = update;
  if (topup.status !== 'TOPUP_SUCCEEDED' || status !== topup.status) return null;
  if (topup.fee !== null || fee === null || fee > topup.amount) return null;
  // No reply shows the fee, so updatedAt stays.
  const recorded: TopUp = { ...topup, fee };
  work.put('topups', recorded);
  POST.payment_fee(work, recorded);
  work.audit({
    action: 'TOPUP_FEE_NOTED',
    resourceType: 'TopUp',
    resourceId: topup.id,
    userId: topup.userId,
    before: { fee: null },
    after: { fee: formatExact(fee), currency: topup.currency },
  });
  return recorded;
};

type LatePayment = { readonly topup: TopUp; readonly row: TopUpRow; readonly update: PayinUpdate };

/** Books a payment for a top-up that has ended. Its state stays, and no reply shows the payment, so updatedAt stays too. */
export const bookLatePayment = (work: UnitOfWork, { topup, row, update }: LatePayment): TopUp => {
  const { amount, fee, payinId } = update;
  const booked: TopUp = { ...topup, lateAmount: amount, fee, providerPayinId: topup.providerPayinId ?? payinId };
  work.put('topups', booked);
  for (const name of row.moves ?? []) POST[name](work, booked);
  work.audit({
    action: 'TOPUP_PAID_LATE',
    resourceType: 'TopUp',
    resourceId: topup.id,
    userId: topup.userId,
    before: { status: topup.status, paid: null },
    after: {
      status: topup.status,
      paid: formatExact(amount ?? ZERO),
      currency: topup.currency,
      providerPayinId: booked.providerPayinId,
      ...(fee === null ? {} : { fee: formatExact(fee) }),
    },
  });
  return booked;
};
