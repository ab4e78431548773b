// How commands move a top-up on: by what the payment provider said, with the money, the event and the entry of its new
// state, and in no other way.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { available, networkFees, paymentFloat, reserved } from '../../books/accounts.ts';
import { type Amount, formatAmount, formatExact, ZERO } from '../../books/money.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { availableChange, balanceOf, move } from '../../commit/money.ts';
import type { PayinNews } from './payin-update.ts';
import type { ToldStatus, TopUp } from './topup.ts';

/** Whoever nobody of ours asked for a cancellation. */
const PROVIDER = 'payment-provider';

/** What only the top-up itself can name: its user and the accounts that its money passes. */
export const topUpNeedsNext = (work: UnitOfWork, topupId: string): Needs => {
  const topup = work.find('topups', topupId);
  if (!topup) return {};
  const { userId, currency } = topup;
  return {
    rows: [{ table: 'users', id: userId }],
    accounts: [available(userId, currency), reserved(userId, currency), paymentFloat(currency), networkFees(currency)],
  };
};

/** The user has the whole amount; what the provider kept of it is the platform's cost. */
const payFee = (work: UnitOfWork, { id, currency }: TopUp, fee: Amount | null): void => {
  if (fee !== null && fee > ZERO) move(work, 'payment_fee', { currency, amount: fee, reference: id });
};

const credit = (work: UnitOfWork, topup: TopUp): string => {
  const { id, userId, currency, amount, description } = topup;
  const before = balanceOf(work, { userId, currency });
  move(work, 'topup', { userId, currency, amount, reference: id, description });
  payFee(work, topup, topup.fee);
  const change = availableChange(before, balanceOf(work, { userId, currency }));
  const told = { userId, amount: formatAmount(amount), currency, source: 'topup', sourceId: id };
  work.emit('balance.credited', userId, { ...told, ...change }, { userId });
  return change.newAvailableBalance;
};

type Telling = (work: UnitOfWork, topup: TopUp) => void;

const payinIdOf = ({ providerPayinId }: TopUp) => (providerPayinId === null ? {} : { providerPayinId });

const TELL: Readonly<Record<ToldStatus, Telling>> = {
  TOPUP_AWAITING_USER_CONFIRMATION(work, { id, userId, confirmationUri }) {
    const payload = { topupId: id, confirmationUri: confirmationUri ?? '' };
    work.emit('topup.confirmation_required', id, payload, { userId });
  },
  TOPUP_PROCESSING(work, { id, userId, providerPayinId }) {
    // The provider finds it by our id too.
    work.emit('topup.processing', id, { topupId: id, providerPayinId: providerPayinId ?? id }, { userId });
  },
  TOPUP_SUCCEEDED(work, topup) {
    const { id, userId, currency } = topup;
    const newAvailableBalance = credit(work, topup);
    const told = { topupId: id, userId, amount: formatAmount(topup.amount), currency, newAvailableBalance };
    work.emit('topup.succeeded', id, { ...told, ...payinIdOf(topup) }, { userId });
  },
  TOPUP_FAILED(work, topup) {
    const { id, userId, failureReason, errorCode } = topup;
    const told = { topupId: id, userId, amount: formatAmount(topup.amount), reason: failureReason ?? NO_REASON };
    const code = errorCode === null ? {} : { errorCode };
    work.emit('topup.failed', id, { ...told, ...code, ...payinIdOf(topup) }, { userId });
  },
  TOPUP_CANCELED(work, topup) {
    const { id, userId, failureReason, cancelAsk } = topup;
    const told = { topupId: id, userId, amount: formatAmount(topup.amount), canceledBy: cancelAsk?.by ?? PROVIDER };
    work.emit(
      'topup.canceled',
      id,
      { ...told, ...(failureReason === null ? {} : { reason: failureReason }) },
      { userId },
    );
  },
};

const ACTIONS: Readonly<Record<ToldStatus, AuditAction>> = {
  TOPUP_AWAITING_USER_CONFIRMATION: 'TOPUP_CONFIRMATION_REQUIRED',
  TOPUP_PROCESSING: 'TOPUP_PROCESSING',
  TOPUP_SUCCEEDED: 'TOPUP_SUCCEEDED',
  TOPUP_FAILED: 'TOPUP_FAILED',
  TOPUP_CANCELED: 'TOPUP_CANCELED',
};

const NO_REASON = 'The payment provider gave no reason.';

/** Why it did not come to pass; null for what did. */
const reasonOf = ({ cancelAsk }: TopUp, { status, reason }: PayinNews): string | null => {
  if (status === 'TOPUP_FAILED') return reason ?? NO_REASON;
  return status === 'TOPUP_CANCELED' ? (cancelAsk?.reason ?? reason) : null;
};

/** Only after the machine allowed it. */
export const moveTopUp = (work: UnitOfWork, topup: TopUp, news: PayinNews): TopUp => {
  const { status } = news;
  const moved: TopUp = {
    ...topup,
    status,
    providerPayinId: topup.providerPayinId ?? news.payinId,
    confirmationUri: topup.confirmationUri ?? news.confirmationUri,
    failureReason: reasonOf(topup, news),
    errorCode: status === 'TOPUP_FAILED' ? news.errorCode : null,
    fee: status === 'TOPUP_SUCCEEDED' ? news.fee : null,
    updatedAt: work.now,
  };
  work.put('topups', moved);
  TELL[status](work, moved);
  work.audit({
    action: ACTIONS[status],
    resourceType: 'TopUp',
    resourceId: topup.id,
    userId: topup.userId,
    before: { status: topup.status },
    after: {
      status,
      amount: formatAmount(topup.amount),
      currency: topup.currency,
      providerPayinId: moved.providerPayinId,
      ...(moved.failureReason === null ? {} : { reason: moved.failureReason }),
      ...(moved.fee === null ? {} : { fee: formatExact(moved.fee) }),
    },
    result: status === 'TOPUP_FAILED' ? 'FAILURE' : 'SUCCESS',
  });
  return moved;
};

/** A webhook does not say what the provider kept, so it is booked when a look at its record has told. Null: nothing new. */
export const noteFee = (work: UnitOfWork, topup: TopUp, { status, fee }: PayinNews): TopUp | null => {
  if (topup.status !== 'TOPUP_SUCCEEDED' || status !== topup.status) return null;
  if (topup.fee !== null || fee === null || fee > topup.amount) return null;
  // Nobody outside sees the fee, so for them nothing has changed.
  const noted: TopUp = { ...topup, fee };
  work.put('topups', noted);
  payFee(work, topup, fee);
  work.audit({
    action: 'TOPUP_FEE_NOTED',
    resourceType: 'TopUp',
    resourceId: topup.id,
    userId: topup.userId,
    before: { fee: null },
    after: { fee: formatExact(fee), currency: topup.currency },
  });
  return noted;
};
