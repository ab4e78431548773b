// Balances and reservations in replies. Amounts have two places, cut off; the total is the sum of the two amounts shown.

import type { Balance } from '../../books/accounts.ts';
import { formatAmount, plus, wholeCents } from '../../books/money.ts';
import { NO_ORDER, type Reservation } from './reservation.ts';

export const presentBalance = ({ userId, currency, available, reserved, updatedAt }: Balance) => ({
  userId,
  available: formatAmount(available),
  reserved: formatAmount(reserved),
  total: formatAmount(plus(wholeCents(available), wholeCents(reserved))),
  currency,
  updatedAt,
});

export const presentReservation = (reservation: Reservation) => {
  const { orderRef, amount, remaining, currency, openedAt, updatedAt } = reservation;
  return {
    orderId: orderRef === NO_ORDER ? null : orderRef,
    amount: formatAmount(amount),
    remaining: formatAmount(remaining),
    currency,
    createdAt: openedAt,
    updatedAt,
    active: remaining > 0n,
  };
};
