// Gives every active reservation of one order back to available, in each currency it was made in.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { Fault } from '../../base/domain-error.ts';
import type { Balance } from '../../books/balance.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type Desk } from '../../commit/command.ts';
import { auditedBalance, balanceOf, move, purseNeeds, reservedChange } from '../../commit/money.ts';
import { orderReservations } from './reservation.ts';
import { drawReservation, type Held } from './reservations.ts';

type CancelInput = {
  readonly userId: string;
  readonly orderId: string;
  readonly reason: string | null;
  /** Shown in the answer when the reservations were in several currencies. */
  readonly baseCurrency: Currency;
};

const activeOf = (desk: Desk, { userId, orderId }: CancelInput) =>
  desk
    .listBy('reservations', 'order', orderReservations(userId, orderId))
    .filter(({ remaining, locked }) => remaining > 0n && !locked)
    .sort((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency));

/** What is reserved for one order goes back to available, in one currency. */
export const giveBack = (desk: Desk, held: Held & { readonly orderId: string; readonly reason: string }): void => {
  const { userId, currency, orderId, reason } = held;
  const before = balanceOf(desk, held);
  drawReservation(desk, 'cancel_reservation', held);
  move(desk, 'cancel_reservation', { ...held, reference: orderId, description: reason });
  const after = balanceOf(desk, held);
  const amount = formatAmount(held.amount);
  desk.emit(
    'balance.released',
    userId,
    { userId, amount, currency, orderId, reason, ...reservedChange(before, after) },
    { userId },
  );
  desk.audit({
    action: 'RESERVATION_CANCELED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount, orderId, reason },
  });
};

export const cancelReservation = command<CancelInput, Balance>({
  name: 'cancel-reservation',
  needs: ({ userId, orderId }) => ({
    rows: [
      { table: 'users', id: userId },
      { table: 'reservations', by: 'order', value: orderReservations(userId, orderId) },
    ],
    accounts: CURRENCIES.flatMap((currency) => purseNeeds({ userId, currency }, []).accounts),
  }),
  decide(input, desk) {
    const { userId, orderId } = input;
    desk.get('users', userId);
    const reservations = activeOf(desk, input);
    const first = reservations[0];
    if (!first) throw new Fault('RESERVATION_NOT_FOUND', { details: { orderId } });
    for (const { currency, remaining } of reservations) {
      const reason = input.reason ?? 'cancel_reservation';
      giveBack(desk, { userId, currency, amount: remaining, orderId, reason });
    }
    const shown = reservations.some(({ currency }) => currency === input.baseCurrency)
      ? input.baseCurrency
      : first.currency;
    return balanceOf(desk, { userId, currency: shown });
  },
});
