// Reserved money: one row per user, currency and order. `remaining` over a user's rows is the user's reserved balance.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { Amount } from '../../books/money.ts';
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

export const reservationId = (userId: string, currency: Currency, orderRef: string): string =>
  `${userId}:${currency}:${orderRef}`;

/** Value of the `order` lookup. */
export const orderReservations = (userId: string, orderRef: string): string => `${userId}:${orderRef}`;

/** Value of the `active` lookup. */
export const activeReservations = (userId: string, currency: Currency): string => `${userId}:${currency}`;

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
