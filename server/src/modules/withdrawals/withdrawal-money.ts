// How the money of a withdrawal moves: aside when it is created, out of the house for what was paid, and back for what
// certainly will not be. Nobody but the withdrawal itself can draw on what is set aside for it.

import { available, floatOwed, paymentFloat, reserved } from '../../books/accounts.ts';
import { type Amount, formatAmount, least, minus, negated, ZERO } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { Desk, Needs } from '../../commit/command.ts';
import { availableChange, balanceOf, move } from '../../commit/money.ts';
import { reservationId } from '../balances/reservation.ts';
import { drawReservation, lockReservation, reservationNeed } from '../balances/reservations.ts';
import { restOf, type Withdrawal } from './withdrawal.ts';

/** What only the withdrawal itself can name: its user, what is set aside, and the accounts that its money passes. */
export const withdrawalNeedsNext = (desk: Desk, withdrawalId: string): Required<Needs> => {
  const withdrawal = desk.find('withdrawals', withdrawalId);
  if (!withdrawal) return { rows: [], accounts: [] };
  const { userId, currency } = withdrawal;
  return {
    rows: [{ table: 'users', id: userId }, reservationNeed({ userId, currency }, withdrawalId)],
    accounts: [available(userId, currency), reserved(userId, currency), paymentFloat(currency), floatOwed(currency)],
  };
};

/** The reservation is new and locked from the start, so no balance route ever draws on it. */
export const setAside = (desk: Desk, withdrawal: Withdrawal): void => {
  const { id, userId, currency, amount, destinationRef: description } = withdrawal;
  const before = balanceOf(desk, { userId, currency });
  move(desk, 'reserve', { userId, currency, amount, reference: id, description });
  desk.put('reservations', {
    ...{ id: reservationId(userId, currency, id), userId, currency, orderRef: id },
    ...{ amount, remaining: amount, locked: true, openedAt: desk.now, updatedAt: desk.now },
  });
  const change = availableChange(before, balanceOf(desk, { userId, currency }));
  const told = { userId, amount: formatAmount(amount), currency, destination: 'withdrawal', destinationId: id };
  desk.emit('balance.debited', userId, { ...told, ...change }, { userId });
};

const draw = (desk: Desk, withdrawal: Withdrawal, taking: { name: MoveName; amount: Amount }): void => {
  const { id: orderId, userId, currency } = withdrawal;
  lockReservation(desk, { userId, currency, orderId, locked: false });
  drawReservation(desk, taking.name, { userId, currency, amount: taking.amount, orderId });
  // A part of it may still have to be paid.
  if (taking.amount < restOf(withdrawal)) lockReservation(desk, { userId, currency, orderId, locked: true });
};

/** The provider has paid all of it. */
export const payThroughProvider = (desk: Desk, withdrawal: Withdrawal): void => {
  const { id: reference, userId, currency, destinationRef: description } = withdrawal;
  const amount = restOf(withdrawal);
  const there = negated(desk.balance(paymentFloat(currency)));
  const lack = minus(amount, least(amount, there));
  if (lack > ZERO) move(desk, 'float_loan', { currency, amount: lack, reference });
  draw(desk, withdrawal, { name: 'payout', amount });
  move(desk, 'payout', { userId, currency, amount, reference, description });
};

/** The ledger has paid so much of it from one of our addresses. */
export const payOverLedger = (desk: Desk, withdrawal: Withdrawal, of: { address: string; amount: Amount }): void => {
  const { id: reference, userId, currency, destinationRef: description } = withdrawal;
  draw(desk, withdrawal, { name: 'withdrawal_paid', amount: of.amount });
  move(desk, 'withdrawal_paid', { ...of, userId, currency, reference, description });
};

/** What was not paid is available again; answers what is available then. */
export const giveRestBack = (desk: Desk, withdrawal: Withdrawal): string => {
  const { id, userId, currency } = withdrawal;
  const amount = restOf(withdrawal);
  const before = balanceOf(desk, { userId, currency });
  draw(desk, withdrawal, { name: 'withdrawal_return', amount });
  move(desk, 'withdrawal_return', { userId, currency, amount, reference: id });
  const change = availableChange(before, balanceOf(desk, { userId, currency }));
  const told = { userId, amount: formatAmount(amount), currency, source: 'withdrawal_cancel', sourceId: id };
  desk.emit('balance.credited', userId, { ...told, ...change }, { userId });
  return change.newAvailableBalance;
};
