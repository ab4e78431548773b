// The commands that draw reserved money: back to available (release, cancel a reservation), or out of the balance for good (deduct).

import type { AuditAction } from '@holdfast/contract/audit.ts';
import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { DomainError } from '../../base/domain-error.ts';
import type { Balance } from '../../books/accounts.ts';
import { formatAmount } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { auditedBalance, balanceNeeds, balanceOf, reservedChange } from '../../commit/money.ts';
import { COMPARISON_NEED, requireLedgerCompared } from '../../ledger/holds/begin-hold.ts';
import { drawNeeds, drawReservation, type Held, orderReservations, reservationNeed } from './reservation.ts';

type Drawing = Held & { readonly move: 'release' | 'deduct_reserved' | 'cancel_reservation' };

const ACTIONS: Readonly<Record<Drawing['move'], AuditAction>> = {
  release: 'BALANCE_RELEASED',
  deduct_reserved: 'RESERVED_DEDUCTED',
  cancel_reservation: 'RESERVATION_CANCELED',
};

/** Draws in the unit of work of a command, which names COMPARISON_NEED. The name of the move is the default reason. */
export const drawReserved = (work: UnitOfWork, { move: name, ...held }: Drawing): Balance => {
  const { userId, currency, orderId } = held;
  const before = balanceOf(work, held);
  const { isOfOrder } = drawReservation(work, { ...held, move: name });
  if (isOfOrder) requireLedgerCompared(work);
  work.move(name, { ...held, reference: orderId, description: held.reason });
  const after = balanceOf(work, held);
  const amount = formatAmount(held.amount);
  const reason = held.reason ?? name;
  work.emit({
    type: 'balance.released',
    aggregateId: userId,
    userId,
    payload: { userId, amount, currency, orderId, reason, ...reservedChange(before, after) },
  });
  work.audit({
    action: ACTIONS[name],
    resourceType: 'Balance',
    resourceId: userId,
    before: auditedBalance(before),
    after: { ...auditedBalance(after), amount, orderId, reason },
  });
  return after;
};

const drawCommand = (name: 'release' | 'deduct_reserved') =>
  command<Held, Balance>({
    name: `${name.replace('_', '-')}-balance`,
    needs(input) {
      const needs = balanceNeeds(input, [name]);
      return { ...needs, rows: [...needs.rows, reservationNeed(input, input.orderId), COMPARISON_NEED] };
    },
    needsNext: (input, work) => ({ rows: drawNeeds(input, work) }),
    decide: (input, work) => drawReserved(work, { ...input, move: name }),
  });

export const releaseBalance = drawCommand('release');

export const deductReserved = drawCommand('deduct_reserved');

type CancelInput = {
  readonly userId: string;
  readonly orderId: string;
  readonly reason: string | null;
  /** Shown in the reply when the reservations were in several currencies. */
  readonly baseCurrency: Currency;
};

const activeOf = (work: UnitOfWork, { userId, orderId }: CancelInput) =>
  work
    .listBy('reservations', { by: 'order', value: orderReservations(userId, orderId) })
    .filter(({ remaining, locked }) => remaining > 0n && !locked)
    .sort((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency));

/** Returns every active reservation of one order to available, in each currency. */
export const cancelReservation = command<CancelInput, Balance>({
  name: 'cancel-reservation',
  needs: ({ userId, orderId }) => ({
    rows: [
      { table: 'users', id: userId },
      { table: 'reservations', by: 'order', value: orderReservations(userId, orderId) },
      COMPARISON_NEED,
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
      drawReserved(work, {
        move: 'cancel_reservation',
        userId,
        currency,
        amount: remaining,
        orderId,
        // Also the description of the postings, which a statement shows.
        reason: input.reason ?? 'cancel_reservation',
      });
    }
    const shown = reservations.some(({ currency }) => currency === input.baseCurrency)
      ? input.baseCurrency
      : first.currency;
    return balanceOf(work, { userId, currency: shown });
  },
});
