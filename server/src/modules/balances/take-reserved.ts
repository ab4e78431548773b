// Draws reserved money: back to available (release), or out of the balance for good (deduct). The two commands differ only in the
// move, the audit action and the default reason.

import type { AuditAction } from '@holdfast/contract/audit.ts';
import type { Balance } from '../../books/accounts.ts';
import { formatAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { auditedBalance, balanceNeeds, balanceOf, move, reservedChange } from '../../commit/money.ts';
import { drawNeeds, drawReservation, type Held, reservationNeed } from './reservations.ts';

const takeReserved = (name: 'release' | 'deduct_reserved', action: AuditAction) =>
  command<Held, Balance>({
    name: `${name.replace('_', '-')}-balance`,
    needs(input) {
      const needs = balanceNeeds(input, [name]);
      return { ...needs, rows: [...needs.rows, reservationNeed(input, input.orderId)] };
    },
    needsNext: (input, work) => ({ rows: drawNeeds(input, work) }),
    decide(input, work) {
      const { userId, currency, orderId } = input;
      const before = balanceOf(work, input);
      drawReservation(work, name, input);
      move(work, name, { ...input, reference: orderId, description: input.reason });
      const after = balanceOf(work, input);
      const amount = formatAmount(input.amount);
      const reason = input.reason ?? name;
      work.emit(
        'balance.released',
        userId,
        { userId, amount, currency, orderId, reason, ...reservedChange(before, after) },
        { userId },
      );
      work.audit({
        action,
        resourceType: 'Balance',
        resourceId: userId,
        before: auditedBalance(before),
        after: { ...auditedBalance(after), amount, orderId, reason },
      });
      return after;
    },
  });

export const releaseBalance = takeReserved('release', 'BALANCE_RELEASED');

export const deductReserved = takeReserved('deduct_reserved', 'RESERVED_DEDUCTED');
