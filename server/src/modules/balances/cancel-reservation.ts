// Returns every active reservation of one order to available, in each currency.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Balance } from '../../books/accounts.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, balanceNeeds, balanceOf, move, reservedChange } from '../../commit/money.ts';
import { orderReservations } from './reservation.ts';
import { drawReservation, type Held } from './reservations.ts';

type CancelInput = {
  readonly userId: string;
  readonly orderId: string;
  readonly reason: string | null;
  /** Shown in the reply when the reservations were in several currencies. */
  readonly baseCurrency: Currency;
};

const activeOf = (work: UnitOfWork, { userId, orderId }: CancelInput) =>
  work
    .listBy('reservations', 'order', orderReservations(userId, orderId))
    .filter(({ remaining, locked }) => remaining > 0n && !locked)
    .sort((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency));

/** Returns the reserved money of one order to available, in one currency. */
export const giveBack = (
  work: UnitOfWork,
  {
    move: name,
    ...held
  }: Held & { readonly move: 'cancel_reservation'; readonly orderId: string; readonly reason: string },
): void => {
  const { userId, currency, orderId, reason } = held;
  const before = balanceOf(work, held);
  drawReservation(work, name, held);
  move(work, name, { ...held, reference: orderId, description: reason });
  const after = balanceOf(work, held);
  const amount = formatAmount(held.amount);
  work.emit(
    'balance.released',
    userId,
    { userId, amount, currency, orderId, reason, ...reservedChange(before, after) },
    { userId },
  );
  work.audit({
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
    accounts: CURRENCIES.flatMap((currency) => balanceNeeds({ userId, currency }, []).accounts),
  }),
  decide(input, work) {
    const { userId, orderId } = input;
    work.get('users', userId);
    const reservations = activeOf(work, input);
    const first = reservations[0];
    if (!first) throw new DomainError('RESERVATION_NOT_FOUND', { details: { orderId } });
    for (const { currency, remaining } of reservations) {
      const reason = input.reason ?? 'cancel_reservation';
      giveBack(work, { move: 'cancel_reservation', userId, currency, amount: remaining, orderId, reason });
    }
    const shown = reservations.some(({ currency }) => currency === input.baseCurrency)
      ? input.baseCurrency
      : first.currency;
    return balanceOf(work, { userId, currency: shown });
  },
});
