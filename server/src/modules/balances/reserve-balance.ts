// Sets a user's money aside, for an order or without one. Available goes down, reserved goes up, total is unchanged.

import type { Balance } from '../../books/balance.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type Desk } from '../../commit/command.ts';
import { auditedBalance, balanceOf, move, purseNeeds, reservedChange } from '../../commit/money.ts';
import { addReservation, type Held, reservationNeed } from './reservations.ts';

/** What reserving does at the desk, for whichever command asks. */
export const reserveOn = (desk: Desk, input: Held): Balance => {
  const { userId, currency, orderId } = input;
  const before = balanceOf(desk, input);
  move(desk, 'reserve', { ...input, reference: orderId, description: input.reason });
  addReservation(desk, input);
  const after = balanceOf(desk, input);
  const amount = formatAmount(input.amount);
  desk.emit(
    'balance.reserved',
    userId,
    { userId, amount, currency, orderId, ...reservedChange(before, after) },
    { userId },
  );
  desk.audit({
    action: 'BALANCE_RESERVED',
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount, orderId, reason: input.reason ?? null },
  });
  return after;
};

export const reserveBalance = command<Held, Balance>({
  name: 'reserve-balance',
  needs(input) {
    const needs = purseNeeds(input, ['reserve']);
    return { ...needs, rows: [...needs.rows, reservationNeed(input, input.orderId)] };
  },
  decide: (input, desk) => reserveOn(desk, input),
});
