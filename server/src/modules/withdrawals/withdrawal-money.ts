// How the money of a withdrawal moves: aside when it is created, out of the house for what was paid, and back for what
// certainly will not be. Nobody but the withdrawal itself can draw on what is set aside for it.

import { available, floatOwed, paymentFloat, reserved } from '../../books/accounts.ts';
import { type Amount, formatAmount, least, minus, negated, ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { Needs, UnitOfWork } from '../../commit/command.ts';
import { availableChange, balanceOf, move } from '../../commit/money.ts';
import { reservationId } from '../balances/reservation.ts';
import { drawReservation, lockReservation, reservationNeed } from '../balances/reservations.ts';
import { restOf, type Withdrawal } from './withdrawal.ts';

/** What only the withdrawal itself can name: its user, what is set aside, and the accounts that its money passes. */
export const withdrawalNeedsNext = (work: UnitOfWork, withdrawalId: string): Required<Needs> => {
  const withdrawal = work.find('withdrawals', withdrawalId);
  if (!withdrawal) return { rows: [], accounts: [] };
  const { userId, currency } = withdrawal;
  return {
    rows: [{ table: 'users', id: userId }, reservationNeed({ userId, currency }, withdrawalId)],
    accounts: [available(userId, currency), reserved(userId, currency), paymentFloat(currency), floatOwed(currency)],
  };
};

/** The reservation is new and locked from the start, so no balance route ever draws on it. */
export const setAside = (work: UnitOfWork, withdrawal: Withdrawal): void => {
  const { id, userId, currency, amount, destinationRef: description } = withdrawal;
  const before = balanceOf(work, { userId, currency });
  move(work, 'reserve', { userId, currency, amount, reference: id, description });
  work.put('reservations', {
    ...{ id: reservationId(userId, currency, id), userId, currency, orderRef: id },
    ...{ amount, remaining: amount, locked: true, openedAt: work.now, updatedAt: work.now },
  });
  const change = availableChange(before, balanceOf(work, { userId, currency }));
  const told = { userId, amount: formatAmount(amount), currency, destination: 'withdrawal', destinationId: id };
  work.emit('balance.debited', userId, { ...told, ...change }, { userId });
};

const draw = (work: UnitOfWork, withdrawal: Withdrawal, taking: { name: MoveName; amount: Amount }): void => {
  const { id: orderId, userId, currency } = withdrawal;
  lockReservation(work, { userId, currency, orderId, locked: false });
  drawReservation(work, taking.name, { userId, currency, amount: taking.amount, orderId });
  // A part of it may still have to be paid.
  if (taking.amount < restOf(withdrawal)) lockReservation(work, { userId, currency, orderId, locked: true });
};

/** The provider has paid all of it. */
export const payThroughProvider = (work: UnitOfWork, withdrawal: Withdrawal): void => {
  const { id: reference, userId, currency, destinationRef: description } = withdrawal;
  const amount = restOf(withdrawal);
  const there = negated(work.balance(paymentFloat(currency)));
  const lack = minus(amount, least(amount, there));
  if (lack > ZERO) move(work, 'float_loan', { currency, amount: lack, reference });
  draw(work, withdrawal, { name: 'payout', amount });
  move(work, 'payout', { userId, currency, amount, reference, description });
};

/** The ledger has paid so much of it from one of our addresses. */
export const payOverLedger = (
  work: UnitOfWork,
  withdrawal: Withdrawal,
  of: { address: string; amount: Amount },
): void => {
  const { id: reference, userId, currency, destinationRef: description } = withdrawal;
  draw(work, withdrawal, { name: 'withdrawal_paid', amount: of.amount });
  move(work, 'withdrawal_paid', { ...of, userId, currency, reference, description });
};

/** What was not paid is available again; answers what is available then. */
export const giveRestBack = (work: UnitOfWork, withdrawal: Withdrawal): string => {
  const { id, userId, currency } = withdrawal;
  const amount = restOf(withdrawal);
  const before = balanceOf(work, { userId, currency });
  draw(work, withdrawal, { name: 'withdrawal_return', amount });
  move(work, 'withdrawal_return', { userId, currency, amount, reference: id });
  const change = availableChange(before, balanceOf(work, { userId, currency }));
  const told = { userId, amount: formatAmount(amount), currency, source: 'withdrawal_cancel', sourceId: id };
  work.emit('balance.credited', userId, { ...told, ...change }, { userId });
  return change.newAvailableBalance;
};
