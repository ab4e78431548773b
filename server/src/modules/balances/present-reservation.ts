// A reservation as the wire shows one.

import { formatAmount } from '../../books/money.ts';
import { NO_ORDER, type Reservation } from './reservation.ts';

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
