// Takes money from a user's available balance by hand; what is reserved is never touched.

import type { Balance } from '../domain/balance.ts';
import { formatAmount } from '../domain/money.ts';
import { auditedBalance, availableChange, balanceOf, move, purseNeeds, type Transfer } from './books.ts';
import { command } from './command.ts';

export const debitBalance = command<Transfer, Balance>({
  name: 'debit-balance',
  needs: (input) => purseNeeds(input, ['debit']),
  decide(input, desk) {
    const { userId, currency, amount, reference } = input;
    const before = balanceOf(desk, input);
    move(desk, 'debit', input);
    const after = balanceOf(desk, input);
    desk.emit(
      'balance.debited',
      userId,
      {
        userId,
        amount: formatAmount(amount),
        currency,
        destination: 'manual',
        ...(reference ? { destinationId: reference } : {}),
        ...availableChange(before, after),
      },
      { userId },
    );
    desk.audit({
      action: 'BALANCE_DEBITED',
      resourceType: 'Balance',
      resourceId: userId,
      before: auditedBalance(before),
      after: { ...auditedBalance(after), amount: formatAmount(amount), reference: reference ?? null },
    });
    return after;
  },
});
