// Reserves a user's money, for an order or without one. Available goes down, reserved goes up, total is unchanged.

import type { Balance } from '../../books/accounts.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, balanceNeeds, balanceOf, reservedChange } from '../../commit/money.ts';
import { addReservation, type Held, reservationNeed } from './reservation.ts';

/** Reserves in the unit of work of a command. `move`: as the row of the command's state machine says. */
export const reserveOn = (work: UnitOfWork, { move: name, ...input }: Held & { readonly move: 'reserve' }): Balance => {
  const { userId, currency, orderId } = input;
  const before = balanceOf(work, input);
  work.move(name, { ...input, reference: orderId, description: input.reason });
  addReservation(work, input);
  const after = balanceOf(work, input);
  const amount = formatAmount(input.amount);
  work.emit({
    type: 'balance.reserved',
    aggregateId: userId,
    userId,
    payload: { userId, amount, currency, orderId, ...reservedChange(before, after) },
  });
  work.audit({
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
    const needs = balanceNeeds(input, ['reserve']);
    const reservation = reservationNeed(input, input.orderId);
    // Most orders get one reservation; the reservation without an order is used again and again.
    return { ...needs, rows: [...needs.rows, input.orderId === null ? reservation : { ...reservation, isNew: true }] };
  },
  decide: (input, work) => reserveOn(work, { ...input, move: 'reserve' }),
});
