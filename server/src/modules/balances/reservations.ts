// How commands reserve money and draw on it: one reservation per user, currency and order, so that one order can never spend the
// money of another.

import { DomainError } from '../../base/domain-error.ts';
import { type Amount, BALANCE_MAX, formatAmount, least, minus, plus, ZERO } from '../../books/money.ts';
import { MOVES, type MoveName } from '../../books/moves.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import type { BalanceKey } from '../../commit/money.ts';
import { activeReservations, NO_ORDER, type Reservation, reservationId } from './reservation.ts';

export type Held = BalanceKey & {
  readonly amount: Amount;
  readonly orderId: string | null;
  readonly reason?: string | null;
};

type Locking = BalanceKey & { readonly orderId: string; readonly locked: boolean };

export const reservationNeed = ({ userId, currency }: BalanceKey, orderId: string | null): Need => ({
  table: 'reservations',
  id: reservationId(userId, currency, orderId ?? NO_ORDER),
});

/** Without an order all of the user's reservations may be drawn on, unless the one without an order is enough. */
export const drawNeeds = (input: Held, work: UnitOfWork): Need[] => {
  if (input.orderId !== null) return [];
  const own = work.find('reservations', reservationId(input.userId, input.currency, NO_ORDER));
  if (own && !own.locked && own.remaining >= input.amount) return [];
  return [{ table: 'reservations', by: 'active', value: activeReservations(input.userId, input.currency) }];
};

export const addReservation = (work: UnitOfWork, { userId, currency, amount, orderId }: Held): void => {
  const id = reservationId(userId, currency, orderId ?? NO_ORDER);
  const known = work.find('reservations', id);
  const open = known !== undefined && known.remaining > 0n;
  work.put('reservations', {
    id,
    userId,
    currency,
    orderRef: orderId ?? NO_ORDER,
    // A reservation that is filled and emptied many times would outgrow its column.
    amount: least(plus(known?.amount ?? ZERO, amount), BALANCE_MAX),
    remaining: plus(known?.remaining ?? ZERO, amount),
    locked: known?.locked ?? false,
    openedAt: open ? known.openedAt : work.now,
    updatedAt: work.now,
  });
};

const take = (work: UnitOfWork, reservation: Reservation, amount: Amount): void =>
  work.put('reservations', { ...reservation, remaining: minus(reservation.remaining, amount), updatedAt: work.now });

/** While locked, only the order or withdrawal of the reservation may draw on it. */
export const lockReservation = (work: UnitOfWork, { userId, currency, orderId, locked }: Locking): void => {
  const reservation = work.find('reservations', reservationId(userId, currency, orderId));
  if (reservation) work.put('reservations', { ...reservation, locked, updatedAt: work.now });
};

/** Reservations without an order first, then the oldest. */
const inDrawingOrder = (a: Reservation, b: Reservation): number => {
  if ((a.orderRef === NO_ORDER) !== (b.orderRef === NO_ORDER)) return a.orderRef === NO_ORDER ? -1 : 1;
  if (a.openedAt !== b.openedAt) return a.openedAt < b.openedAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};

const sources = (work: UnitOfWork, { userId, currency, amount, orderId }: Held): Reservation[] => {
  const named = work.find('reservations', reservationId(userId, currency, orderId ?? NO_ORDER));
  const own = named && !named.locked ? [named] : [];
  if (orderId !== null || (own[0] && own[0].remaining >= amount)) return own;
  return work
    .listBy('reservations', 'active', activeReservations(userId, currency))
    .filter(({ locked }) => !locked)
    .sort(inDrawingOrder);
};

/** Draws the amount from the reservations, or refuses with the error of the move when they hold too little. */
export const drawReservation = (work: UnitOfWork, name: MoveName, held: Held): void => {
  const reservations = sources(work, held);
  const there = reservations.reduce((sum, { remaining }) => plus(sum, remaining), ZERO);
  if (there < held.amount) {
    throw new DomainError(MOVES[name].short ?? 'INTERNAL_ERROR', {
      details: {
        requested: formatAmount(held.amount),
        reserved: formatAmount(there),
        currency: held.currency,
        ...(held.orderId === null ? {} : { orderId: held.orderId }),
      },
    });
  }
  let left = held.amount;
  for (const reservation of reservations) {
    if (left === 0n) break;
    const part = least(left, reservation.remaining);
    if (part > 0n) take(work, reservation, part);
    left = minus(left, part);
  }
};
