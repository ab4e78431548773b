// Reserved money: one row per user, currency and order, so that one order can never spend the money of another. `remaining` over a
// user's rows is the user's reserved balance.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { idPattern } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Amount, BALANCE_MAX, formatAmount, least, minus, plus, ZERO } from '../../books/money.ts';
import { MOVES, type MoveName } from '../../books/moves.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import type { BalanceKey } from '../../commit/money.ts';
import { table } from '../../commit/tables.ts';

export type Reservation = {
  /** Derived from user, currency and order, so that no query is needed to name it. */
  readonly id: string;
  readonly userId: string;
  readonly currency: Currency;
  /** Any reference of the caller; empty when the money was reserved without one. */
  readonly orderRef: string;
  /** The total that was ever reserved under this id. */
  readonly amount: Amount;
  readonly remaining: Amount;
  /** In use by its order or withdrawal: no other command may draw on it. */
  readonly locked: boolean;
  /** When it last went from empty to funded: the oldest reservation is drawn on first. */
  readonly openedAt: string;
  readonly updatedAt: string;
};

export const NO_ORDER = '';

export const reservationId = ({ userId, currency }: BalanceKey, orderRef: string): string =>
  `${userId}:${currency}:${orderRef}`;

/** Value of the `order` lookup. */
export const orderReservations = (userId: string, orderRef: string): string => `${userId}:${orderRef}`;

/** Value of the `active` lookup. */
const activeReservations = (userId: string, currency: Currency): string => `${userId}:${currency}`;

declare module '../../commit/tables.ts' {
  interface Tables {
    reservations: Reservation;
  }
  interface Lookups {
    reservations: { order: string; active: string };
  }
}

/** Lookup `order`: every reservation of one user's order. `active`: all reservations of a user in one currency that still hold money. */
export const RESERVATIONS = table('reservations', {
  notFound: 'RESERVATION_NOT_FOUND',
  sql: 'reservations',
  columns: ['id', 'userId', 'currency', 'orderRef', 'amount', 'remaining', 'locked', 'openedAt', 'updatedAt'],
  lookups: {
    order: { sql: "(t.user_id || ':' || t.order_ref)", value: (row) => `${row.userId}:${row.orderRef}` },
    active: {
      sql: "(t.user_id || ':' || t.currency)",
      where: { sql: 't.remaining > 0', holds: (row) => row.remaining > 0n },
      value: (row) => `${row.userId}:${row.currency}`,
    },
  },
});

export type Held = BalanceKey & {
  readonly amount: Amount;
  readonly orderId: string | null;
  readonly reason?: string | null;
};

type Locking = BalanceKey & { readonly orderId: string; readonly locked: boolean };

export const reservationNeed = ({ userId, currency }: BalanceKey, orderId: string | null): Need => ({
  table: 'reservations',
  id: reservationId({ userId, currency }, orderId ?? NO_ORDER),
});

/** Without an order all of the user's reservations may be drawn on, unless the one without an order is enough. */
export const drawNeeds = (input: Held, work: UnitOfWork): Need[] => {
  if (input.orderId !== null) return [];
  const own = work.find('reservations', reservationId(input, NO_ORDER));
  if (own && !own.locked && own.remaining >= input.amount) return [];
  return [{ table: 'reservations', by: 'active', value: activeReservations(input.userId, input.currency) }];
};

export const addReservation = (work: UnitOfWork, { userId, currency, amount, orderId }: Held): void => {
  const id = reservationId({ userId, currency }, orderId ?? NO_ORDER);
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

/** While locked, only the order or withdrawal of the reservation may draw on it. */
export const lockReservation = (work: UnitOfWork, { userId, currency, orderId, locked }: Locking): void => {
  const reservation = work.find('reservations', reservationId({ userId, currency }, orderId));
  if (reservation) work.put('reservations', { ...reservation, locked, updatedAt: work.now });
};

/** Reservations without an order first, then the oldest. */
const inDrawingOrder = (a: Reservation, b: Reservation): number => {
  if ((a.orderRef === NO_ORDER) !== (b.orderRef === NO_ORDER)) return a.orderRef === NO_ORDER ? -1 : 1;
  if (a.openedAt !== b.openedAt) return a.openedAt < b.openedAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};

const sources = (work: UnitOfWork, { userId, currency, amount, orderId }: Held): Reservation[] => {
  const named = work.find('reservations', reservationId({ userId, currency }, orderId ?? NO_ORDER));
  const own = named && !named.locked ? [named] : [];
  if (orderId !== null || (own[0] && own[0].remaining >= amount)) return own;
  return work
    .listBy('reservations', { by: 'active', value: activeReservations(userId, currency) })
    .filter(({ locked }) => !locked)
    .sort(inDrawingOrder);
};

const ORDER_ID = new RegExp(idPattern('order'));

/** Draws the amount from the reservations, or refuses with the error of the move when they hold too little. */
export const drawReservation = (
  work: UnitOfWork,
  { move: name, ...held }: Held & { readonly move: MoveName },
): { readonly isOfOrder: boolean } => {
  const reservations = sources(work, held);
  const reserved = reservations.reduce((sum, { remaining }) => plus(sum, remaining), ZERO);
  if (reserved < held.amount) {
    throw new DomainError(MOVES[name].short ?? 'INTERNAL_ERROR', {
      details: {
        requested: formatAmount(held.amount),
        reserved: formatAmount(reserved),
        currency: held.currency,
        ...(held.orderId === null ? {} : { orderId: held.orderId }),
      },
    });
  }
  let left = held.amount;
  let isOfOrder = false;
  for (const reservation of reservations) {
    if (left === 0n) break;
    const part = least(left, reservation.remaining);
    const remaining = minus(reservation.remaining, part);
    if (part > 0n) work.put('reservations', { ...reservation, remaining, updatedAt: work.now });
    isOfOrder ||= part > 0n && ORDER_ID.test(reservation.orderRef);
    left = minus(left, part);
  }
  return { isOfOrder };
};
